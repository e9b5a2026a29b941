"""The workshop: root in a system of its own, who may add packages to it and no more than that."""

from pathlib import Path

import pytest

from agent import DockerSandbox, SandboxUnavailable
from agent.sandbox import Exited, Printed
from agent.sandbox.confinement import Confinement
from sandbox_image import REPOSITORIES, base, image_tag
from sandbox_image.build import certificates

pytestmark = pytest.mark.engine

APT_CONF = "/workspace/.config/sandbox/apt.conf"


@pytest.fixture(scope="module")
def sandbox():
    with DockerSandbox(Confinement(profile="workshop", network="open")) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def apt(sandbox):
    """The shell of a sandbox whose apt uses this machine's mirror."""
    folder = str(Path(APT_CONF).parent)
    sandbox.write(f"{folder}/ca.crt", [Path(certificates()).read_bytes()])
    lines = [f'Acquire::https::CaInfo "{folder}/ca.crt";']
    if mirror := base.debian_mirror():
        sandbox.write(
            f"{folder}/sources.list",
            [f"deb {mirror} trixie main\ndeb {mirror}-security trixie-security main\n".encode()],
        )
        lines.append(f'Dir::Etc::SourceList "{folder}/sources.list";')
    sandbox.write(APT_CONF, ["\n".join(lines).encode()])
    succeed(sandbox, f"export APT_CONFIG={APT_CONF}; apt-get update", 120)
    return sandbox


def run(sandbox, command, timeout=20.0):
    """What a command printed, as text, and how it ended."""
    items = list(sandbox.run(command, timeout))
    printed = b"".join(item.data for item in items if isinstance(item, Printed))
    return printed.decode("utf-8", "replace"), items[-1]


def succeed(sandbox, command, timeout=20.0):
    printed, ended = run(sandbox, command, timeout)
    assert ended.code == 0, printed
    return printed


def test_a_package_is_installed_and_its_program_runs(apt):
    printed = succeed(apt, "apt-get install -y figlet", 120)
    assert "unsandboxed" not in printed
    assert "_" in succeed(apt, "figlet Hello")


def test_a_package_finds_what_the_sealed_image_leaves_out(apt):
    # Perl's standard library.
    succeed(apt, "apt-get install cowsay", 120)
    assert "< moo >" in succeed(apt, "/usr/games/cowsay moo")


def test_a_package_that_brings_a_user_a_service_and_a_manual_is_set_up(apt):
    succeed(apt, "apt-get install uuid-runtime cron", 120)
    assert succeed(apt, "getent passwd uuidd | cut -d: -f1; stat -c %G /usr/bin/crontab") == (
        "uuidd\ncrontab\n"
    )
    assert run(apt, "pgrep -x cron")[0] == ""
    assert succeed(apt, "find /usr/share/man -type f") == ""


def test_a_compiler_compiles(apt):
    succeed(apt, "apt-get install gcc libc6-dev", 300)
    succeed(apt, "echo 'int main(void) { return 0; }' > /tmp/a.c; cc -o /tmp/a /tmp/a.c && /tmp/a")


def test_the_database_is_true(sandbox):
    assert succeed(sandbox, "dpkg --audit; apt-get check -qq") == ""
    known = succeed(sandbox, "dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n'").split("\n")
    assert {line[:3] for line in known if line} == {"ii "}
    assert "ii  ffmpeg" in known


def test_wheels_are_installed_for_all(sandbox):
    succeed(
        sandbox,
        "cd /tmp; mkdir -p w/hat-1.dist-info; echo 'def size(): return 7' > w/hat.py\n"
        "printf 'Metadata-Version: 2.1\nName: hat\nVersion: 1\n' > w/hat-1.dist-info/METADATA\n"
        "printf 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n'"
        " > w/hat-1.dist-info/WHEEL\n"
        "printf 'hat.py,,\nhat-1.dist-info/METADATA,,\nhat-1.dist-info/WHEEL,,\n'"
        " > w/hat-1.dist-info/RECORD\n"
        "cd w; zip -q -r ../hat-1-py3-none-any.whl .; pip install ../hat-1-py3-none-any.whl",
        60,
    )
    assert succeed(sandbox, "cd /; python3 -c 'import hat; print(hat.size(), hat.__file__)'") == (
        "7 /usr/local/lib/python3.13/dist-packages/hat.py\n"
    )


def test_it_has_the_rights_that_installing_takes_and_no_others(sandbox, engine):
    names = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID")
    host = engine.containers.get(sandbox.name).attrs["HostConfig"]
    assert (host["CapDrop"], host["CapAdd"]) == (["ALL"], list(names))
    assert succeed(sandbox, "grep -E 'Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status") == (
        "CapPrm:\t00000000000000fb\nCapEff:\t00000000000000fb\nCapBnd:\t00000000000000fb\n"
        "CapAmb:\t0000000000000000\nNoNewPrivs:\t1\n"
    )
    assert succeed(sandbox, "id -u; echo $HOME; getent passwd 0") == (
        "0\n/workspace\nroot:x:0:0:root:/root:/bin/bash\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        "mknod /tmp/disk b 8 0",
        "mknod /tmp/memory c 1 1",
        "mount -t tmpfs none /mnt",
        "mount --bind / /mnt",
        "mount -o remount,rw /proc/sys",
        "umount /workspace",
        "unshare --mount true",
        "unshare --user --map-root-user true",
        "nsenter --target 1 --mount true",
        "chroot / true",
        "python3 -c 'import os; os.chroot(\"/tmp\")'",
        'python3 -c \'import ctypes; exit(ctypes.CDLL(None).pivot_root(b"/tmp", b"/tmp") != 0)\'',
        "readlink /proc/1/fd/0",
        "head -c 1 /proc/1/mem",
        "python3 -c 'import ctypes; exit(ctypes.CDLL(None).ptrace(16, 1, 0, 0) != 0)'",
        "echo x > /proc/sys/kernel/core_pattern",
        "echo x > /proc/sysrq-trigger",
        "echo 1 > /proc/sys/net/ipv4/ip_forward",
        "mkdir /sys/fs/cgroup/memory/x",
        "dmesg",
        "date -s 2001-01-01",
        "hostname other",
        "ulimit -n 8192",
        "python3 -c 'import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12)'",
        "python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)'",
        "python3 -c 'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)'",
        "python3 -c 'import ctypes; exit(ctypes.CDLL(None).syscall(175, 0, 0, 0) != 0)'",
    ],
)
def test_root_inside_is_nobody_outside(sandbox, command):
    printed, ended = run(sandbox, command)
    assert ended.code != 0, printed
    assert ended.code != 127, printed


def test_a_timeout_ends_what_other_users_run(sandbox):
    _, ended = run(sandbox, "su -s /bin/sh www-data -c 'setsid sleep 98765'", 1.0)
    assert ended == Exited(124, timed_out=True)
    assert run(sandbox, "pgrep -fc '[9]8765'")[0] == "0\n"


def test_programs_of_the_sealed_image_work_for_root(sandbox):
    succeed(
        sandbox,
        "cd /tmp; echo '<p>Hello</p>' > a.html; shoot a.html a.png;"
        " ffmpeg -v error -f lavfi -i testsrc=d=0.2 -c:v libx265 -y a.mp4; check a.png;"
        " rsvg-convert --version; python3 -c 'import matplotlib.pyplot'",
        120,
    )


def test_files_of_others_come_back_in_a_sealed_sandbox(sandbox):
    succeed(
        sandbox,
        "mkdir -p /workspace/theirs; cd /workspace/theirs; echo one > a; echo two > b;"
        " chown 33:33 a .; chmod 600 a; chown nobody b; chmod 4755 b",
    )
    saved = list(sandbox.save(1 << 30))
    with DockerSandbox() as sealed:
        sealed.restore(saved)
        assert succeed(
            sealed, "cd theirs; cat a b; echo three >> a; stat -c %A b; find . ! -user $(id -u)"
        ) == ("one\ntwo\n-rwxr-xr-x\n")


def test_a_sandbox_is_sealed_unless_the_operator_says_otherwise():
    with DockerSandbox() as sandbox:
        assert sandbox.image == image_tag("sealed")
        assert run(sandbox, "which apt-get sqv; touch /usr/x") == (
            "touch: cannot touch '/usr/x': Read-only file system\n",
            Exited(1),
        )
        assert run(sandbox, "grep CapEff /proc/self/status")[0] == "CapEff:\t0000000000000000\n"


def test_a_missing_workshop_says_which_command_builds_it(monkeypatch):
    monkeypatch.setattr(
        "agent.sandbox.docker.image_tag", lambda profile: f"{REPOSITORIES[profile]}:none"
    )
    with pytest.raises(SandboxUnavailable, match=r"scripts/build-image workshop to build"):
        DockerSandbox(Confinement(profile="workshop")).__enter__()
    with pytest.raises(SandboxUnavailable, match=r"scripts/build-image to build"):
        DockerSandbox().__enter__()
