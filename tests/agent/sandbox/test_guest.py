"""What the host makes of a guest's frames."""

from agent.sandbox import Exited, Settled
from agent.sandbox.channel import Channel
from agent.sandbox.guest import GuestSandbox
from sandbox_image.guest.protocol import Kind, pack_json
from tests.agent.sandbox.answers import Answers


def test_what_is_noticed_while_a_command_prints_nothing_does_not_wait_for_the_next_beat():
    def notice(request):
        return pack_json(Kind.NOTICE, 0, what="settled", path="a.txt", size=5)

    def ended(request):
        facts = {"timed_out": False, "shell_restarted": False, "reached": [], "log": ""}
        return pack_json(Kind.EXIT, request, code=0, **facts)

    sandbox = GuestSandbox()
    sandbox.open(Channel(Answers(notice, ended)))
    command = sandbox.run("sleep 1", 60)
    assert next(command) is None
    assert sandbox.notices() == [Settled("a.txt", 5)]
    assert next(command) == Exited(0)
