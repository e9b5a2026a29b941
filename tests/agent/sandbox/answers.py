"""The far end of a stream whose guest is a list of frames."""

from sandbox_image.guest.protocol import Decoder


class Answers:
    """A transport whose guest gives these frames for an answer, and nothing later."""

    def __init__(self, *frames):
        self.frames, self.waiting, self.heard = frames, b"", Decoder()

    def fileno(self):
        raise AssertionError("nobody waits for what never comes")

    def send(self, data):
        for _, request, _ in self.heard.feed(bytes(data)):
            self.waiting += b"".join(frame(request) for frame in self.frames)
        return len(data)

    def receive(self):
        taken, self.waiting = self.waiting, b""
        return taken or None

    def close(self):
        pass
