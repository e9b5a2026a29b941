"""What a sandbox reaches under each policy: nothing, the package mirrors, or everything."""

import contextlib
import re
import shlex
import threading
import time
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Network
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import DockerSandbox, SandboxUnavailable
from agent.sandbox import Exited, Printed
from agent.sandbox.confinement import Confinement, seccomp
from agent.sandbox.docker import INSTALLATION_LABEL, RUN_LABEL, USERS, start
from agent.sandbox.mirrors import Mirrors, machine_mirrors
from agent.sandbox.network import (
    CERTIFICATES,
    POOL,
    Subnet,
    certificates,
    environment,
    files,
    proxy_command,
)
from agent.sandbox.orphans import reap

PACKAGES = Confinement(network="packages")
MIRRORS = Mirrors(
    pip="https://index.test/simple",
    npm="https://npm.test:8443/",
    apt="http://deb.test/debian",
    hosts=("files.test",),
)
# One line for each attempt: what it was, and the error's name or what came of it.
ATTEMPTS = """
import errno, socket, sys
def attempt(name, function):
    try:
        print(name, function() or "done")
    except socket.gaierror as error:
        print(name, "no name")
    except OSError as error:
        print(name, errno.errorcode.get(error.errno, str(error)))
def connect(family, *address):
    with socket.socket(family) as made:
        made.settimeout(10)
        made.connect(address)
def send(*address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.sendto(b"x", address)
host, port, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
attempt("tcp", lambda: connect(socket.AF_INET, host, port))
attempt("udp", lambda: send(host, port))
attempt("dns", lambda: socket.gethostbyname(name))
attempt("ipv6", lambda: connect(socket.AF_INET6, "2001:db8::1", 80))
attempt("metadata", lambda: connect(socket.AF_INET, "169.254.169.254", 80))
attempt("vsock", lambda: connect(socket.AF_VSOCK, 2, 1024))
attempt("packet", lambda: connect(socket.AF_PACKET, "eth0", 0))
"""


class Listener:
    """A web server on all addresses of the engine's host; `asked` keeps the paths."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                listener.asked.append(self.path)
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)
        self.port = self.server.server_address[1]


@contextlib.contextmanager
def listening() -> Iterator[Listener]:
    listener = Listener()
    thread = threading.Thread(target=listener.server.serve_forever, daemon=True)
    thread.start()
    yield listener
    listener.server.shutdown()
    listener.server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def mirror():
    """A mirror on the engine's host."""
    with listening() as listener:
        yield listener


@pytest.fixture(scope="module")
def neighbour():
    """A service on the engine's host that is not a mirror."""
    with listening() as listener:
        yield listener


@pytest.fixture(scope="module")
def gateway(engine):
    """The address of the engine's host on its own bridge."""
    config = engine.networks.get("bridge").attrs["IPAM"]["Config"][0]
    # An engine that has made its bridge just now does not say which address it took: the first.
    return config.get("Gateway") or str(IPv4Network(config["Subnet"])[1])


@pytest.fixture(scope="module")
def mirrors(mirror, gateway):
    return Mirrors(
        pip="https://index.test/simple",
        npm="https://npm.test:8443/",
        apt=f"http://{gateway}:{mirror.port}/debian",
    )


@pytest.fixture(scope="module")
def fenced(mirrors):
    with DockerSandbox(PACKAGES, mirrors=mirrors) as sandbox:
        yield sandbox


@pytest.fixture
def installation(engine):
    """A label of the test's own; nothing that has it may be left."""
    name = uuid.uuid4().hex
    yield name
    assert belongings(engine, name) == (set(), set())


def belongings(engine, installation):
    """The names of an installation's containers and networks."""
    labelled = {"label": f"{INSTALLATION_LABEL}={installation}"}
    containers = engine.api.containers(all=True, filters=labelled)
    networks = engine.api.networks(filters=labelled)
    names = {name.removeprefix("/") for item in containers for name in item["Names"]}
    return names, {item["Name"] for item in networks}


def run(sandbox, command, timeout=60.0):
    """What a command printed, and its exit code."""
    items = list(sandbox.run(command, timeout))
    assert isinstance(items[-1], Exited)
    printed = b"".join(item.data for item in items if isinstance(item, Printed))
    return printed.decode("utf-8", "replace").strip(), items[-1].code


def attempts(sandbox, host, port):
    """What `ATTEMPTS` says, by what was attempted."""
    name = urlsplit(machine_mirrors().pip).hostname
    printed, _ = run(sandbox, shlex.join(["python3", "-c", ATTEMPTS, host, str(port), name]))
    return dict(line.split(" ", 1) for line in printed.splitlines())


def ask_proxy(sandbox, *lines):
    """The status with which the sandbox's proxy answers a request."""
    request = "\r\n".join([*lines, "", ""])
    program = (
        "import os, socket, sys, urllib.parse\n"
        "proxy = urllib.parse.urlsplit(os.environ['http_proxy'])\n"
        "made = socket.create_connection((proxy.hostname, proxy.port), 20)\n"
        "made.sendall(sys.argv[1].encode())\n"
        "print(made.recv(100).split()[1].decode())"
    )
    printed, _ = run(sandbox, shlex.join(["python3", "-c", program, request]))
    return int(printed)


def wait_for(happened):
    deadline = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.engine
def test_without_a_network_every_attempt_fails_at_once(gateway, neighbour):
    with DockerSandbox() as sandbox:
        assert run(sandbox, "ls /sys/class/net") == ("lo", 0)
        assert attempts(sandbox, gateway, neighbour.port) == {
            "tcp": "ENETUNREACH",
            "udp": "ENETUNREACH",
            "dns": "no name",
            "ipv6": "ENETUNREACH",
            "metadata": "ENETUNREACH",
            "vsock": "EPERM",
            "packet": "EPERM",
        }
        assert run(sandbox, "env | grep -ciE 'proxy|index|registry'; ls -A .config")[0][0] == "0"
    assert neighbour.asked == []


@pytest.mark.engine
def test_with_packages_nothing_is_reached_directly(fenced, gateway, neighbour):
    found = attempts(fenced, gateway, neighbour.port)
    assert found.pop("ipv6") in {"EADDRNOTAVAIL", "ENETUNREACH"}
    assert found == {
        "tcp": "EHOSTUNREACH",
        # Sent, to a neighbour that is not there.
        "udp": "done",
        "dns": "no name",
        "metadata": "EHOSTUNREACH",
        "vsock": "EPERM",
        "packet": "EPERM",
    }
    assert run(fenced, "cut -c55- /proc/net/if_inet6 | grep -v ' lo$'")[0] == ""
    assert neighbour.asked == []


@pytest.mark.engine
def test_neither_the_host_nor_another_sandbox_is_a_neighbour(engine, fenced, mirrors, neighbour):
    with DockerSandbox(PACKAGES, mirrors=mirrors) as other:
        run(other, "python3 -m http.server 8000 >/dev/null 2>&1 &")
        wait_for(lambda: run(other, "curl -s http://127.0.0.1:8000/")[1] == 0)
        own = engine.networks.get(fenced.name).attrs["IPAM"]["Config"][0]["Subnet"]
        addresses = [str(Subnet(IPv4Network(own)).network[1])]
        for name in (other.name, f"{other.name}-proxy"):
            networks = engine.containers.get(name).attrs["NetworkSettings"]["Networks"]
            addresses += [network["IPAddress"] for network in networks.values()]
        assert len(addresses) == 4
        doors = [f"{a}/{port}" for a in addresses for port in (neighbour.port, 8000, 8888)]
        opened = " & ".join(f"(echo >/dev/tcp/{door} && echo {door}) 2>/dev/null" for door in doors)
        assert run(fenced, shlex.join(["bash", "-c", f"{opened} & wait"]))[0] == ""
    assert neighbour.asked == []


@pytest.mark.engine
def test_the_proxy_reaches_a_mirror(fenced, mirror, gateway):
    url = f"http://{gateway}:{mirror.port}/debian/dists"
    assert run(fenced, f"curl -s -o /dev/null -w '%{{http_code}}' {url}")[0] == "200"
    assert mirror.asked == ["/debian/dists"]
    # Let through; that there is no such host is found out afterwards.
    assert ask_proxy(fenced, "CONNECT index.test:443 HTTP/1.1") == 500
    assert ask_proxy(fenced, "CONNECT npm.test:8443 HTTP/1.1") == 500


@pytest.mark.engine
@pytest.mark.parametrize(
    "lines",
    [
        ["GET http://{gateway}:{neighbour}/ HTTP/1.1"],
        ["GET http://{gateway}:{mirror}@{gateway}:{neighbour}/ HTTP/1.1"],
        ["GET http://{gateway}/ HTTP/1.1"],
        ["GET http://127.0.0.1:8888/ HTTP/1.1"],
        ["GET http://169.254.169.254/latest/meta-data/ HTTP/1.1"],
        ["GET http://example.test/ HTTP/1.1"],
        ["GET http://index.test/simple/ HTTP/1.1"],
        ["GET http://tinyproxy.stats/ HTTP/1.1"],
        ["CONNECT {gateway}:{mirror} HTTP/1.1"],
        ["CONNECT {gateway}:{neighbour} HTTP/1.1"],
        ["CONNECT index.test:22 HTTP/1.1"],
        ["CONNECT npm.test:443 HTTP/1.1"],
        ["CONNECT index.test.example.test:443 HTTP/1.1"],
        ["CONNECT xindex.test:443 HTTP/1.1"],
        ["CONNECT indexxtest:443 HTTP/1.1"],
        ["CONNECT index.test:443/@example.test:443 HTTP/1.1"],
        ["CONNECT 127.0.0.1:8888 HTTP/1.1"],
        ["CONNECT 1.1.1.1:443 HTTP/1.1"],
        ["GET / HTTP/1.1", "Host: example.test"],
        ["GET / HTTP/1.1", "Host: {gateway}:{neighbour}"],
        ["GET / HTTP/1.1", "Host: deb.test/told.to.example.test"],
    ],
)
def test_the_proxy_refuses_everything_else(fenced, gateway, mirror, neighbour, lines):
    place = {"gateway": gateway, "mirror": mirror.port, "neighbour": neighbour.port}
    assert ask_proxy(fenced, *(line.format(**place) for line in lines)) == 403
    assert neighbour.asked == []


@pytest.mark.engine
def test_a_name_is_not_told_to_anyone_in_a_host_header(mirrors):
    # Port 80, where the proxy adds a port to what the header says.
    with DockerSandbox(PACKAGES, mirrors=MIRRORS) as sandbox:
        header = "Host: deb.test/told.to.example.test"
        assert ask_proxy(sandbox, "GET / HTTP/1.1", header) == 403
        assert ask_proxy(sandbox, "GET / HTTP/1.1", "Host: deb.test") == 500


@pytest.mark.engine
def test_pip_and_npm_install_and_what_is_installed_runs():
    with DockerSandbox(PACKAGES) as sandbox:
        printed, code = run(sandbox, "pip install -q iniconfig && python3 -c 'import iniconfig'")
        assert code == 0, printed
        printed, code = run(sandbox, "npm install -s is-number && node -e 'require(\"is-number\")'")
        assert code == 0, printed
        printed, _ = run(sandbox, "curl -sS https://example.test/ 2>&1")
        assert "CONNECT tunnel failed, response 403" in printed
        saved = b"".join(sandbox.save(1 << 30))
        sandbox.write("/workspace/saved", [saved])
        assert ".config/sandbox/" not in run(sandbox, "tar -tzf saved")[0]


@pytest.mark.engine
def test_with_an_open_network_the_host_answers_and_names_are_found(gateway, neighbour):
    with listening() as service, DockerSandbox(Confinement(network="open")) as sandbox:
        found = attempts(sandbox, gateway, service.port)
        assert found["tcp"] == "done"
        assert re.fullmatch(r"[\d.]+", found["dns"])
        assert found["vsock"] == found["packet"] == "EPERM"
        printed, code = run(sandbox, "pip download -q --no-deps iniconfig && ls iniconfig*")
        assert code == 0, printed


@pytest.mark.engine
def test_a_proxy_serves_its_own_sandbox_only(engine, fenced):
    networks = engine.containers.get(f"{fenced.name}-proxy").attrs["NetworkSettings"]["Networks"]
    address = networks["bridge"]["IPAddress"]
    with DockerSandbox(Confinement(network="open")) as other:
        printed, _ = run(other, f"echo >/dev/tcp/{address}/8888")
        assert "Connection refused" in printed


@pytest.mark.engine
def test_the_proxy_and_its_network_are_confined(engine, fenced):
    network = engine.networks.get(fenced.name).attrs
    assert network["Internal"] is True
    assert network["EnableIPv6"] is False
    assert network["Options"]["com.docker.network.bridge.inhibit_ipv4"] == "true"
    assert len(network["Containers"]) == 2

    proxy = engine.containers.get(f"{fenced.name}-proxy").attrs
    host, config = proxy["HostConfig"], proxy["Config"]
    assert host["ReadonlyRootfs"] is True
    assert host["CapDrop"] == ["ALL"]
    assert host["SecurityOpt"] == ["no-new-privileges", f"seccomp={seccomp()}"]
    assert host["Memory"] == host["MemorySwap"] == 64 << 20
    assert host["PidsLimit"] == 128
    assert host["LogConfig"]["Type"] == "none"
    assert host["AutoRemove"] is True
    assert host["Sysctls"] == {"net.ipv4.ip_forward": "0"}
    assert not host["Binds"]
    assert not proxy["Mounts"]
    assert int(config["User"].partition(":")[0]) in USERS
    assert config["StdinOnce"] is True
    assert set(proxy["NetworkSettings"]["Networks"]) == {"bridge", fenced.name}

    sandbox = engine.containers.get(fenced.name).attrs
    own = proxy["NetworkSettings"]["Networks"][fenced.name]["IPAddress"]
    assert sandbox["HostConfig"]["Dns"] == [own]
    assert set(sandbox["NetworkSettings"]["Networks"]) == {fenced.name}


@pytest.mark.engine
def test_leaving_removes_the_container_the_proxy_and_the_network(engine, installation, mirrors):
    with DockerSandbox(PACKAGES, installation=installation, run="r", mirrors=mirrors) as sandbox:
        containers, networks = belongings(engine, installation)
        assert containers == {sandbox.name, f"{sandbox.name}-proxy"}
        assert networks == {sandbox.name}
        for item in (*containers, *networks):
            labels = engine.api.inspect_network(item)["Labels"] if item in networks else None
            labels = labels or engine.api.inspect_container(item)["Config"]["Labels"]
            assert labels[RUN_LABEL] == "r"


@pytest.mark.engine
@pytest.mark.parametrize("gone", ["container", "proxy"])
def test_what_is_gone_already_is_as_good_as_removed(engine, installation, mirrors, gone):
    with DockerSandbox(PACKAGES, installation=installation, mirrors=mirrors) as sandbox:
        name = sandbox.name if gone == "container" else f"{sandbox.name}-proxy"
        engine.containers.get(name).kill()


@pytest.mark.engine
def test_a_start_that_fails_leaves_nothing(installation, mirrors, monkeypatch):
    box = DockerSandbox(
        PACKAGES, installation=installation, mirrors=mirrors, image="sandbox-studio/none:none"
    )
    with pytest.raises(SandboxUnavailable, match="scripts/build-image"):
        box.__enter__()
    monkeypatch.setattr("agent.sandbox.guest.PROTOCOL", 99)
    with pytest.raises(SandboxUnavailable, match="protocol"):
        DockerSandbox(PACKAGES, installation=installation, mirrors=mirrors).__enter__()


@pytest.mark.engine
def test_a_missing_proxy_image_says_what_to_do_and_leaves_nothing(
    installation, mirrors, monkeypatch
):
    monkeypatch.setattr("agent.sandbox.docker.proxy_tag", lambda: "sandbox-studio/none:none")
    with pytest.raises(SandboxUnavailable, match="scripts/build-image"):
        DockerSandbox(PACKAGES, installation=installation, mirrors=mirrors).__enter__()


@pytest.mark.engine
def test_a_workspace_too_small_for_the_certificates_ends_the_start(installation, mirrors):
    box = DockerSandbox(
        Confinement(network="packages", workspace=64 << 10),
        installation=installation,
        mirrors=mirrors,
    )
    with pytest.raises(SandboxUnavailable, match="could not be set up"):
        box.__enter__()


@pytest.mark.engine
def test_addresses_that_are_taken_are_not_given_twice(engine, fenced, mirrors, monkeypatch):
    taken = IPv4Network(engine.networks.get(fenced.name).attrs["IPAM"]["Config"][0]["Subnet"])
    monkeypatch.setattr("agent.sandbox.network.POOL", taken.supernet())
    with DockerSandbox(PACKAGES, mirrors=mirrors) as other:
        given = engine.networks.get(other.name).attrs["IPAM"]["Config"][0]["Subnet"]
        assert IPv4Network(given) in set(taken.supernet().subnets(1)) - {taken}
        assert ask_proxy(other, "GET http://example.test/ HTTP/1.1") == 403


@pytest.mark.engine
def test_a_worker_that_dies_leaves_a_network_which_the_reaper_removes(
    engine, installation, mirrors
):
    container = start(PACKAGES, installation=installation, mirrors=mirrors)
    container.channel.close()
    container.lifeline.close()
    wait_for(lambda: belongings(engine, installation) == (set(), {container.name}))
    assert reap(installation) == 0


@pytest.mark.engine
def test_the_reaper_removes_proxies_and_networks_of_what_is_over(engine, installation, mirrors):
    other = uuid.uuid4().hex
    waited = start(PACKAGES, installation=installation, mirrors=mirrors)
    with (
        DockerSandbox(PACKAGES, warm=lambda _: waited) as named,
        DockerSandbox(PACKAGES, installation=installation, run="active", mirrors=mirrors) as active,
        DockerSandbox(PACKAGES, installation=installation, run="over", mirrors=mirrors),
        DockerSandbox(PACKAGES, installation=other, run="over", mirrors=mirrors) as foreign,
    ):
        assert reap(installation, lambda: {"active", named.name}) == 2
        names = {active.name, named.name}
        proxies = {f"{name}-proxy" for name in names}
        assert belongings(engine, installation) == (names | proxies, names)
        pair = {foreign.name, f"{foreign.name}-proxy"}
        assert belongings(engine, other) == (pair, {foreign.name})
        assert ask_proxy(active, "GET http://example.test/ HTTP/1.1") == 403


@pytest.mark.engine
def test_the_reaper_leaves_all_that_belongs_to_a_sandbox_which_waits_or_has_been_taken(
    engine, installation, mirrors, monkeypatch
):
    with DockerSandbox(PACKAGES, installation=installation, mirrors=mirrors) as sandbox:
        whole = ({sandbox.name, f"{sandbox.name}-proxy"}, {sandbox.name})
        # Long after it was started it still waits, and so does what has no state of its own.
        monkeypatch.setattr("agent.sandbox.orphans.STARTING_SECONDS", 0.0)
        assert reap(installation, set) == 0
        assert belongings(engine, installation) == whole
        monkeypatch.setattr("agent.sandbox.orphans.WAITING_SECONDS", 0.0)
        assert reap(installation, lambda: {sandbox.name}) == 0
        assert belongings(engine, installation) == whole
        assert reap(installation, set) == 2
        assert belongings(engine, installation) == (set(), set())


@pytest.mark.engine
def test_a_container_that_waited_ready_has_its_proxy(installation, mirrors):
    waiting = [start(PACKAGES, installation=installation, mirrors=mirrors)]
    with DockerSandbox(PACKAGES, warm=lambda _: waiting.pop()) as sandbox:
        assert ask_proxy(sandbox, "GET http://example.test/ HTTP/1.1") == 403
        assert sandbox.read(CERTIFICATES, 1 << 20) == certificates()


def patterns():
    """The proxy's filter for `MIRRORS`."""
    return [re.compile(line) for line in proxy_command(MIRRORS, Subnet.random())[1].splitlines()]


def allowed(asked):
    return any(pattern.search(asked) for pattern in patterns())


@pytest.mark.parametrize(
    "asked",
    [
        "index.test:443",
        "npm.test:8443",
        "files.test:443",
        "http://deb.test/",
        "http://deb.test:80/debian/pool/x_1%3a2.deb",
    ],
)
def test_the_filter_has_every_mirror(asked):
    assert allowed(asked)


@given(st.text(min_size=1), st.sampled_from(["index.test", "files.test", "deb.test"]))
def test_the_filter_takes_a_name_whole(text, host):
    for asked in (f"{text}{host}:443", f"{host}{text}:443", f"{host}:443{text}", f"{host}:4{text}"):
        assert not allowed(asked) or asked in {"index.test:443", "files.test:443"}


@given(st.text(), st.text())
def test_the_filter_lets_only_the_mirrors_own_paths_through(before, after):
    asked = f"http://{before}deb.test{after}"
    rest = asked.removeprefix("http://deb.test").removeprefix(":80")
    assert not allowed(asked) or rest.startswith("/")


@pytest.mark.parametrize("proxy", ["", "http://198.18.0.2:8888"])
def test_the_tools_are_told_their_mirror_and_the_proxy(proxy):
    told = environment(MIRRORS, proxy)
    assert told["PIP_INDEX_URL"] == MIRRORS.pip
    assert told["NPM_CONFIG_REGISTRY"] == MIRRORS.npm
    assert told["APT_CONFIG"] in files(MIRRORS)
    assert told["SSL_CERT_FILE"] == told["PIP_CERT"] == CERTIFICATES
    assert {told.get(name, "") for name in ("http_proxy", "HTTPS_PROXY")} == {proxy}
    assert "PIP_TRUSTED_HOST" not in told


def test_an_index_without_encryption_is_told_to_be_trusted():
    told = environment(Mirrors(pip="http://index.test:3141/simple"))
    assert told["PIP_TRUSTED_HOST"] == "index.test:3141"


def test_tools_without_a_mirror_are_told_nothing():
    assert not environment(Mirrors()).keys() & {
        "PIP_INDEX_URL",
        "NPM_CONFIG_REGISTRY",
        "APT_CONFIG",
    }
    assert set(files(Mirrors())) == {CERTIFICATES}


def test_apt_takes_debian_from_the_mirror_and_from_nowhere_else():
    texts = {path.rpartition("/")[2]: data.decode() for path, data in files(MIRRORS).items()}
    sources = texts["sources.list"].splitlines()
    assert len(sources) == 3
    assert all(re.match(r"deb \[signed-by=\S+\] http://deb\.test/debian", line) for line in sources)
    assert 'sourceparts "/dev/null"' in texts["apt.conf"]


def test_networks_of_runs_lie_in_a_range_that_nobody_uses():
    subnets = [Subnet.random() for _ in range(200)]
    assert all(subnet.network.subnet_of(POOL) for subnet in subnets)
    assert len({subnet.network for subnet in subnets}) > 150
    assert all(len({s.proxy, s.sandbox, s.network[0], s.network[1]}) == 4 for s in subnets)
