"""One bash for the whole life of the sandbox.

It is interactive without being on a terminal, because only an interactive bash comes back to its
prompt after an interrupt: so a loop in the shell itself can be ended and the shell kept. (It has a
terminal to hold, so that it does not complain whenever a command dies of a signal.) It reads from
a private pipe, two lines a command: the command, then the report of its status on a second private
pipe. Commands see neither: their standard input is /dev/null and both pipes are closed for them.
Each command prints into a pipe of its own, which its background jobs keep, so that what they print
later is known to be theirs.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import time

from sandbox_image.guest import processes

PIPE_BYTES = 1 << 20
# Bash reads a pipe byte by byte: a longer command waits for it in a file.
INLINE = 2048
# The shell leaves a loop only when the command in it dies of the interrupt as well.
GENTLY, FIRMLY = 4, 60
PAUSE = 0.03
BASH = ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"]
PREPARE = (
    "echo 1000 >/proc/self/oom_score_adj; exec 2>/dev/null; "
    "PS1= PS2= PS4='+ '; set +o history +H +m; unset HISTFILE MAILCHECK\n"
)
STATUS = 208
REPORT = f'\\builtin printf "%s %s %s\\0" "$?" "$-" "$PWD" >&{STATUS};set +e\n'


class Shell:
    """`status` is a descriptor to wait on; `start` after every end of the shell. A `restricted` one
    can redirect nothing any more and is of no further use.

    `scratch` is a folder where there is room even when the disk is full.
    """

    def __init__(self, home: str, scratch: str) -> None:
        self.folder = home
        self._scratch = scratch
        self._pipes = 0
        self._next: tuple[int, str] | None = None
        self._begun: processes.Moment = (0, 0)
        self.start()

    def start(self) -> None:
        """A fresh bash in the folder of the last one."""
        commands, self._commands = os.pipe()
        self.status, reports = os.pipe()
        os.set_blocking(self.status, False)
        self._terminal, terminal = os.openpty()
        with contextlib.suppress(OSError):
            os.chdir("/")
            os.chdir(self.folder)
        self.pid = os.posix_spawn(
            BASH[0],
            BASH,
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, commands, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_DUP2, terminal, 2),
                (os.POSIX_SPAWN_DUP2, reports, STATUS),
            ],
            setsid=True,
        )
        for descriptor in (commands, reports, terminal):
            os.close(descriptor)
        self._partial = b""
        self.restricted = False
        self._write(PREPARE)

    def submit(self, command: str) -> int:
        """Begin a command; its status comes on `status`, its output on the descriptor given."""
        self._begun = processes.now()
        try:
            text, (output, pipe) = self._quoted(command), self._prepared() or self._make_pipe()
        except OSError:
            self._clear_scratch()
            text, (output, pipe) = self._quoted(command), self._make_pipe()
        self._write(f"\\builtin eval {text} </dev/null >{pipe} 2>&1 {STATUS}>&-\n{REPORT}")
        return output

    def _quoted(self, command: str) -> str:
        """The command as a word for the shell."""
        if len(command) <= INLINE:
            return "'" + command.replace("'", "'\\''") + "'"
        with open(f"{self._scratch}/command", "wb") as file:
            file.write(command.encode("utf-8", "surrogateescape"))
        return f'"$(<{self._scratch}/command)"'

    def _prepared(self) -> tuple[int, str] | None:
        """The pipe made ready, unless somebody took its name away."""
        ready, self._next = self._next, None
        if ready is None:
            return None
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.stat(ready[1]), os.fstat(ready[0])):
                return ready
        os.close(ready[0])
        return None

    def prepare(self) -> None:
        """Make ready what the next command needs, while nobody waits for it."""
        with contextlib.suppress(OSError):
            self._next = self._next or self._make_pipe()

    def _make_pipe(self) -> tuple[int, str]:
        """The next pipe, open for reading, and its name; that of the last one goes."""
        with contextlib.suppress(OSError):
            os.unlink(f"{self._scratch}/{self._pipes}")
        self._pipes += 1
        path = f"{self._scratch}/{self._pipes}"
        os.mkfifo(path, 0o600)
        output = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with contextlib.suppress(PermissionError):
            fcntl.fcntl(output, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        return output, path

    def _clear_scratch(self) -> None:
        """Somebody filled our folder: what is in it now is of no use to anybody."""
        for folder, folders, names in os.walk(self._scratch, topdown=False):
            for remove, found in ((os.unlink, names), (os.rmdir, folders)):
                for name in found:
                    with contextlib.suppress(OSError):
                        remove(os.path.join(folder, name))

    def finished(self) -> int | None:
        """The exit code of the running command, once it is there."""
        with contextlib.suppress(BlockingIOError):
            self._partial += os.read(self.status, 65536)
        if b"\0" not in self._partial:
            return None
        report, _, self._partial = self._partial.partition(b"\0")
        code, _, rest = report.partition(b" ")
        flags, _, folder = rest.partition(b" ")
        self.restricted = b"r" in flags
        self.folder = os.fsdecode(folder)
        return int(code) if code.isdigit() else 1

    def interrupt(self) -> bool:
        """End the running command and all it started; False when the shell had to go as well."""
        idle = False
        for number in [signal.SIGINT] * GENTLY + [signal.SIGKILL] * FIRMLY:
            started = [pid for pid in processes.alive(self._begun) if pid != self.pid]
            if idle and not started:
                return True
            if number == signal.SIGKILL:
                processes.end_all(self._begun, spared={self.pid})
            else:
                processes.signal_all(started, number)
            if not idle:
                processes.signal_all([self.pid], signal.SIGINT)
            time.sleep(PAUSE)
            idle = idle or self.finished() is not None
        processes.end_all((0, 0), spared=())
        return False

    def clear(self) -> None:
        """End everything but the shell itself: the answer to processes without end."""
        processes.end_all((0, 0), spared={self.pid})

    def close(self) -> None:
        """Forget a bash that has ended."""
        for descriptor in (self._commands, self.status, self._terminal):
            os.close(descriptor)

    def _write(self, text: str) -> None:
        view = memoryview(text.encode("utf-8", "surrogateescape"))
        with contextlib.suppress(BrokenPipeError):
            while view:
                view = view[os.write(self._commands, view) :]
