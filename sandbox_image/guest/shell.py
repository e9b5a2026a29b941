"""One bash for the whole life of the sandbox.

It is interactive without being on a terminal, because only an interactive bash comes back to its
prompt after an interrupt: so a loop in the shell itself can be ended and the shell kept. (It has a
terminal to hold, so that it does not complain whenever a command dies of a signal.) It reads from
a private pipe, two lines a command: the command, then the report of its status on a second private
pipe. Commands see neither: their standard input is /dev/null and both pipes are closed for them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import time

from sandbox_image.guest import processes

INLINE = 4096
# The shell leaves a loop only when the command in it dies of the interrupt as well.
TOLD_TO_STOP = [signal.SIGINT] * 4 + [signal.SIGKILL] * 60
PAUSE = 0.03
BASH = ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"]
PREPARE = (
    "echo 1000 >/proc/self/oom_score_adj; exec 2>/dev/null; "
    "PS1= PS2= PS4='+ '; set +o history +H +m; unset HISTFILE MAILCHECK\n"
)
OUTPUT, STATUS = 207, 208
REDIRECT = f"</dev/null >&{OUTPUT} 2>&1 {OUTPUT}>&- {STATUS}>&-"
REPORT = f'{{ \\builtin printf \'%s %s\\0\' "$?" "$PWD"; set +e; }} >&{STATUS}\n'


class Shell:
    """`output` and `status` are descriptors to wait on; `start` after every end of the shell."""

    def __init__(self, home: str, scratch: str) -> None:
        self.folder = home
        self._scratch = scratch
        self.output, writer = os.pipe()
        os.set_blocking(self.output, False)
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 1 << 20)
        os.dup2(writer, OUTPUT)
        os.close(writer)
        self._before: set[tuple[int, str]] = set()
        self._partial = b""
        self.start()

    def start(self) -> None:
        """A fresh bash in the folder of the last one."""
        commands, self._commands = os.pipe()
        self.status, reports = os.pipe()
        os.set_blocking(self.status, False)
        os.dup2(reports, STATUS)
        os.close(reports)
        self._terminal, terminal = os.openpty()
        self.pid = subprocess.Popen(
            BASH,
            stdin=commands,
            stdout=subprocess.DEVNULL,
            stderr=terminal,
            pass_fds=(OUTPUT, STATUS),
            cwd=self.folder if os.path.isdir(self.folder) else "/",
            start_new_session=True,
        ).pid
        os.close(commands)
        os.close(terminal)
        os.close(STATUS)
        self._partial = b""
        self._write(PREPARE)

    def submit(self, command: str) -> None:
        """Begin a command; its status comes on `status`."""
        self._before = processes.alive()
        if len(command) <= INLINE:
            text = "'" + command.replace("'", "'\\''") + "'"
        else:
            with open(f"{self._scratch}/command", "w", encoding="utf-8") as file:
                file.write(command)
            text = f'"$(<{self._scratch}/command)"'
        self._write(f"eval {text} {REDIRECT}\n{REPORT}")

    def finished(self) -> int | None:
        """The exit code of the running command, once it is there."""
        with contextlib.suppress(BlockingIOError):
            self._partial += os.read(self.status, 65536)
        if b"\0" not in self._partial:
            return None
        report, _, self._partial = self._partial.partition(b"\0")
        code, _, folder = report.partition(b" ")
        self.folder = os.fsdecode(folder)
        return int(code) if code.isdigit() else 1

    def interrupt(self) -> bool:
        """End the running command and all it started; False when the shell had to go as well."""
        idle = False
        for number in TOLD_TO_STOP:
            started = {entry for entry in processes.alive() - self._before if entry[0] != self.pid}
            if idle and not started:
                return True
            processes.signal_all(started, number)
            if not idle:
                processes.signal_all([(self.pid, "")], signal.SIGINT)
            time.sleep(PAUSE)
            idle = idle or self.finished() is not None
        self.kill_all()
        return False

    def kill_all(self) -> None:
        """End every process of the sandbox but this one: the only answer to a fork storm."""
        while processes.alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
            time.sleep(0.01)

    def close(self) -> None:
        """Forget a bash that has ended."""
        for descriptor in (self._commands, self.status, self._terminal):
            os.close(descriptor)

    def _write(self, text: str) -> None:
        view = memoryview(text.encode("utf-8", "surrogateescape"))
        with contextlib.suppress(BrokenPipeError):
            while view:
                view = view[os.write(self._commands, view) :]
