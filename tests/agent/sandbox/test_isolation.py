"""What a sandbox cannot do: to the host, to another sandbox, to the kernel."""

import errno
import json
import secrets

import pytest

from agent import DockerSandbox
from agent.sandbox.confinement import Confinement, seccomp
from agent.sandbox.docker import USERS
from tests.agent.sandbox.commands import output

pytestmark = pytest.mark.engine

# What the engine says of the container, for each setting: without the setting it says otherwise.
EXPECTED = {
    "auto_remove": lambda host: host["AutoRemove"] is True,
    "privileged": lambda host: host["Privileged"] is False,
    "read_only": lambda host: host["ReadonlyRootfs"] is True,
    "cap_drop": lambda host: host["CapDrop"] == ["ALL"],
    "cap_add": lambda host: not host["CapAdd"],
    "security_opt": lambda host: (
        host["SecurityOpt"] == ["no-new-privileges", f"seccomp={seccomp()}"]
    ),
    "mem_limit": lambda host: host["Memory"] == 4 << 30,
    "memswap_limit": lambda host: host["MemorySwap"] == 4 << 30,
    "shm_size": lambda host: host["ShmSize"] == 64 << 20,
    "pids_limit": lambda host: host["PidsLimit"] == 512,
    "nano_cpus": lambda host: host["NanoCpus"] == 2 * 10**9,
    "cpu_shares": lambda host: host["CpuShares"] == 512,
    "ulimits": lambda host: (
        {limit["Name"]: limit["Hard"] for limit in host["Ulimits"]}
        == {"core": 0, "fsize": (2 << 30) + (1 << 20), "nofile": 4096}
    ),
    "tmpfs": lambda host: (
        {path: "nosuid,nodev" in options for path, options in host["Tmpfs"].items()}
        == {"/workspace": True, "/tmp": True, "/run/guest": True}
    ),
    "log_config": lambda host: host["LogConfig"]["Type"] == "none",
    "ipc_mode": lambda host: host["IpcMode"] == "private",
}
ABSENT = ("Binds", "Mounts", "VolumesFrom", "Devices", "DeviceRequests", "PortBindings", "Links")

FAMILIES = """
import json, socket
made = []
for family in range(46):
    for kind in range(1, 7):
        for protocol in (0, 1, 6, 17, 58, 132, 255):
            try:
                socket.socket(family, kind, protocol).close()
                made.append((family, kind, protocol))
            except OSError:
                pass
print(json.dumps(made))
"""
UNIX, INET, INET6, NETLINK = 1, 2, 10, 16
STREAM, DATAGRAM, RAW, SEQPACKET = 1, 2, 3, 5
TCP, UDP = 6, 17

CALLS = """
import ctypes, json, platform
libc = ctypes.CDLL(None, use_errno=True)
page = ctypes.create_string_buffer(4096)
said = {}
for name, number, *arguments in json.loads(%r):
    ctypes.set_errno(0)
    result = libc.syscall(number, *(page if a == "page" else a for a in arguments))
    said[name] = ctypes.get_errno() if result == -1 else 0
print(json.dumps(said))
"""
# Name, number (x86-64, and arm64 where it differs is not needed: the names are what is filtered).
FORBIDDEN = [
    ("io_uring_setup", 425, 8, "page"),
    ("bpf", 321, 0, "page", 128),
    ("userfaultfd", 323, 0),
    ("keyctl", 250, 0, 0),
    ("add_key", 248, "page", "page", "page", 1, 0),
    ("mount", 165, "page", "page", "page", 0, 0),
    ("fsopen", 430, "page", 0),
    ("open_tree", 428, -100, "page", 0),
    ("ptrace", 101, 16, 1, 0, 0),
    ("process_vm_readv", 310, 1, "page", 1, "page", 1, 0),
    ("unshare", 272, 0x10000000),
    ("setns", 308, 0, 0),
    ("chroot", 161, "page"),
    ("pivot_root", 155, "page", "page"),
    ("perf_event_open", 298, "page", 0, -1, -1, 0),
    ("init_module", 175, "page", 0, "page"),
    ("kexec_load", 246, 0, 0, 0, 0),
    ("open_by_handle_at", 304, 0, "page", 0),
    ("quotactl", 179, 0, "page", 0, "page"),
    ("acct", 163, "page"),
    ("syslog", 103, 10, 0, 0),
    ("settimeofday", 164, "page", 0),
    ("reboot", 169, 0, 0, 0),
    ("swapon", 167, "page", 0),
    ("fanotify_init", 300, 0, 0),
    ("vmsplice", 278, 1, "page", 0, 0),
    ("io_setup", 206, 1, "page"),
    ("modify_ldt", 154, 0, "page", 0),
    ("personality to 32 bit", 135, 8),
    ("clone of a user namespace", 56, 0x10000000 | 17, 0, 0, 0, 0),
    ("mknod of a device", 133, "page", 0o20600, 0x103),
]


@pytest.fixture(scope="module")
def sandbox():
    with DockerSandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def inspected(sandbox, engine):
    return engine.containers.get(sandbox.name).attrs


def test_every_setting_has_an_expectation():
    assert set(Confinement().settings(1)) == set(EXPECTED)


@pytest.mark.parametrize("setting", sorted(EXPECTED))
def test_the_engine_enforces_the_setting(inspected, setting):
    assert EXPECTED[setting](inspected["HostConfig"])


def test_nothing_of_the_host_is_in_the_container(inspected):
    host, config = inspected["HostConfig"], inspected["Config"]
    assert [name for name in ABSENT if host.get(name)] == []
    assert not inspected["Mounts"]
    assert host["NetworkMode"] == "none"
    assert config["NetworkDisabled"] is True
    assert host["PidMode"] == host["UTSMode"] == host["UsernsMode"] == ""
    assert config["StdinOnce"] is True
    assert not config["Tty"]
    user, group = map(int, config["User"].split(":"))
    assert user == group
    assert user in USERS


def test_a_process_has_no_rights_and_cannot_get_any(sandbox):
    said = output(sandbox, "grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status")
    status = dict(line.split(":\t") for line in said.splitlines())
    assert status == {
        **dict.fromkeys(("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"), "0" * 16),
        "NoNewPrivs": "1",
        "Seccomp": "2",
    }


def test_only_the_ordinary_sockets_can_be_made(sandbox):
    made = {tuple(entry) for entry in json.loads(output(sandbox, f"python3 -c '{FAMILIES}'"))}
    local = {(UNIX, kind, 0) for kind in (STREAM, DATAGRAM, RAW, SEQPACKET)}
    streams = {(family, STREAM, p) for family in (INET, INET6) for p in (0, TCP)}
    datagrams = {(family, DATAGRAM, p) for family in (INET, INET6) for p in (0, UDP)}
    routes = {(NETLINK, kind, 0) for kind in (DATAGRAM, RAW)}
    # AF_UNIX takes its own number for a protocol as well.
    assert made - {(UNIX, kind, 1) for kind in (STREAM, DATAGRAM, RAW, SEQPACKET)} == (
        local | streams | datagrams | routes
    )


def test_the_kernel_refuses_what_media_work_does_not_need(sandbox):
    script = CALLS % json.dumps(FORBIDDEN)
    sandbox.write("/workspace/calls.py", [script.encode()])
    said = json.loads(output(sandbox, "python3 calls.py"))
    assert said == dict.fromkeys(said, errno.EPERM)
    assert len(said) == len(FORBIDDEN)


def test_clone3_is_unknown_so_that_programs_use_clone(sandbox):
    script = CALLS % json.dumps([("clone3", 435, "page", 88)])
    sandbox.write("/workspace/calls.py", [script.encode()])
    assert json.loads(output(sandbox, "python3 calls.py")) == {"clone3": errno.ENOSYS}


def test_the_32_bit_entry_is_closed(sandbox):
    # int 0x80 with eax = 20 (getpid for 32-bit programs), then a return.
    script = (
        "import ctypes, mmap\n"
        "page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)\n"
        "page.write(bytes.fromhex('b814000000cd80c3'))\n"
        "address = ctypes.addressof(ctypes.c_char.from_buffer(page))\n"
        "print('answered', ctypes.CFUNCTYPE(ctypes.c_int)(address)())\n"
    )
    sandbox.write("/workspace/old.py", [script.encode()])
    assert "answered" not in output(sandbox, "python3 old.py")
    # A kernel without that entry would say the same.
    assert all(not each["subArchitectures"] for each in json.loads(seccomp())["archMap"])


def test_a_file_of_the_host_and_its_engine_are_out_of_reach(sandbox, tmp_path):
    name = f"canary-{secrets.token_hex(8)}"
    (tmp_path / name).write_text("mine")
    assert output(
        sandbox, f"cat {tmp_path / name} 2>&1; find / -name '{name}' 2>/dev/null"
    ).endswith("No such file or directory\n")
    assert output(sandbox, "ls /var/run/docker.sock /run/docker.sock 2>/dev/null") == ""
    assert output(sandbox, "ls /dev/vda /dev/sda /dev/mem /dev/kmsg 2>/dev/null") == ""


def test_the_system_cannot_be_written(sandbox):
    for path in ("/etc/x", "/usr/x", "/opt/guest/x", "/sys/x", "/proc/sys/kernel/hostname"):
        assert output(sandbox, f"echo x 2>&1 > {path} || echo refused").endswith("refused\n")
    assert (
        output(
            sandbox, "ls -d /sys/fs/cgroup/*/ | while read d; do mkdir $d/x && echo made; done 2>&-"
        )
        == ""
    )


def test_the_user_has_a_name_and_a_home(sandbox):
    assert output(sandbox, "whoami; id -gn; echo ~; node -p 'os.userInfo().username'") == (
        "user\nuser\n/workspace\nuser\n"
    )


def test_two_sandboxes_share_no_user_file_process_memory_or_network(sandbox):
    mark = secrets.token_hex(8)
    output(
        sandbox,
        f"cd /tmp; touch /tmp/{mark} /dev/shm/{mark} /workspace/{mark}; ipcmk -M 4096 >/dev/null;"
        f"exec -a {mark} sleep 600 & python3 -m http.server 8765 >/dev/null 2>&1 & "
        f'python3 -c \'import socket, time; s = socket.socket(1); s.bind(chr(0) + "{mark}");'
        " s.listen(); time.sleep(600)' & sleep 1",
    )
    assert output(sandbox, "curl -s -o /dev/null -w '%{http_code}' 127.0.0.1:8765") == "200"
    with DockerSandbox() as other:
        assert output(other, f"find / -name {mark} 2>/dev/null") == ""
        assert output(other, f"pgrep -f '[{mark[0]}]{mark[1:]}'") == ""
        assert output(other, "tail -n +2 /proc/sysvipc/shm") == ""
        assert output(other, "curl -s -o /dev/null -w '%{http_code}' 127.0.0.1:8765") == "000"
        assert mark not in output(other, "cat /proc/net/unix")
        assert output(other, "id -u") != output(sandbox, "id -u")


def test_a_hundred_and_fifty_watchers_of_one_sandbox_take_none_from_another(sandbox):
    grab = (
        "import ctypes, time\n"
        "made = [ctypes.CDLL(None).inotify_init() for _ in range(2000)]\n"
        "print(min(made) >= 0, max(made) > 100, flush=True)\n"
        "time.sleep(600)"
    )
    output(sandbox, f"python3 -c '{grab}' > grabbed & sleep 1")
    with DockerSandbox() as other:
        assert output(other, "echo starts") == "starts\n"
