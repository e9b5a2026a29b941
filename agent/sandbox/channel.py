"""The host's end of the stream to a guest.

No thread: one caller asks one thing at a time and reads the answer itself. What the guest says in
between waits in the socket, so a flood from inside fills the guest's pipe and not our memory.
"""

from __future__ import annotations

import select
import time
from collections import deque
from typing import Any, Protocol

from agent.errors import SandboxUnavailable
from sandbox_image.guest.protocol import Decoder, Kind, ProtocolError, pack

Frame = tuple[Kind, int, bytes]
WAITING_BYTES = 64 << 20
# To fall asleep and be woken takes as long as a short command: so long an answer is looked out for.
AWAKE_SECONDS = 0.002


class Transport(Protocol):
    """A connected byte stream; both calls return at once."""

    def fileno(self) -> int:
        """The descriptor to wait on."""
        ...

    def send(self, data: memoryview) -> int:
        """Write some of `data`; 0 when nothing can be written now."""
        ...

    def receive(self) -> bytes | None:
        """Bytes of the guest's output; None when there are none now, b"" at the end."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


class Channel:
    """Frames to and from one guest; `sent` and `received` count the bytes."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._decoder = Decoder()
        self._frames: deque[Frame] = deque()
        self._waiting = 0
        self._awake_until = 0.0
        self.sent = self.received = 0

    def send(self, kind: Kind, request: int, payload: bytes = b"") -> None:
        """Write a frame, taking in what the guest says meanwhile.

        Raises:
            SandboxUnavailable: the stream ended.
        """
        view = memoryview(pack(kind, request, payload))
        while view:
            try:
                sent = self._transport.send(view)
            except OSError as error:
                raise SandboxUnavailable(f"The sandbox is gone: {error}") from error
            view = view[sent:]
            self.sent += sent
            if sent == 0:
                ready, _, _ = select.select(
                    [self._transport.fileno()], [self._transport.fileno()], [], 1.0
                )
                if ready:
                    self._take_in()
        self._awake_until = time.monotonic() + AWAKE_SECONDS

    def receive(self, timeout: float) -> Frame | None:
        """The next frame, or None if none came within `timeout` seconds.

        Raises:
            SandboxUnavailable: the stream ended or is not our protocol.
        """
        deadline = time.monotonic() + timeout
        while not self._frames:
            self._take_in()
            if self._frames:
                break
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            if time.monotonic() < self._awake_until:
                continue
            select.select([self._transport.fileno()], [], [], left)
        frame = self._frames.popleft()
        self._waiting -= len(frame[2])
        return frame

    def ended(self) -> bool:
        """Whether the guest has gone."""
        try:
            self._take_in()
        except SandboxUnavailable:
            return True
        return False

    def close(self) -> None:
        """Let go of the connection; the guest then ends by itself."""
        self._transport.close()

    def _take_in(self) -> None:
        try:
            data = self._transport.receive()
            if data is None:
                return
            if not data:
                raise SandboxUnavailable("The sandbox ended unexpectedly.")
            self.received += len(data)
            frames = self._decoder.feed(data)
        except (OSError, ProtocolError) as error:
            raise SandboxUnavailable(f"The sandbox's stream broke: {error}") from error
        self._waiting += sum(len(frame[2]) for frame in frames)
        if self._waiting > WAITING_BYTES:
            raise SandboxUnavailable("The sandbox sent more than it was asked for.")
        self._frames.extend(frames)


def field(fields: dict[str, Any], name: str, kind: type[Any]) -> Any:
    """A field of an answer, checked.

    Raises:
        SandboxUnavailable: it is missing or of another type.
    """
    value = fields.get(name)
    if not isinstance(value, kind):
        raise SandboxUnavailable(f"The sandbox answered without a proper {name!r}.")
    return value
