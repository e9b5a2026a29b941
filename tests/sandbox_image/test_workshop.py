"""The second image is the first one and what Debian's packages had before it was made small."""

import re
from pathlib import Path

import docker
import pytest
from docker.models.images import Image

from sandbox_image import PROTOCOL, image_tag
from sandbox_image.build import certificates
from sandbox_image.contents import contents_hash

pytestmark = pytest.mark.engine

MOST_BYTES = 1_800_000_000
# What `dpkg --verify` may still say: files that we replace, and what nobody misses.
OURS = {
    "/etc/ImageMagick-7/policy.xml",
    "/etc/python3.13/sitecustomize.py",
    "/usr/lib/python3.13/EXTERNALLY-MANAGED",
    "/usr/share/sounds/sf2/FluidR3_GM.sf2",
}
UNREAD = re.compile(
    r"/usr/share/(doc|man|info|locale|lintian|fonts)(/|$)|/dist-packages/.*/tests(/|$)"
)


@pytest.fixture(scope="module")
def workshop(engine: docker.DockerClient) -> Image:
    """This checkout's image; `scripts/build-image workshop` makes it."""
    return engine.images.get(image_tag("workshop"))


def said(engine: docker.DockerClient, image: Image, script: str) -> str:
    """What a script prints in a new container without a network."""
    output: bytes = engine.containers.run(
        image.id,
        [script],
        entrypoint=["bash", "-c"],
        network_mode="none",
        remove=True,
        labels={"sandbox-studio.test": "workshop"},
    )
    return output.decode()


def test_it_stands_on_the_sealed_image(workshop: Image, image: Image) -> None:
    below = image.attrs["RootFS"]["Layers"]
    assert workshop.attrs["RootFS"]["Layers"][: len(below)] == below
    assert workshop.attrs["Size"] <= MOST_BYTES


def test_it_says_what_it_is_and_starts_the_guest_as_root(workshop: Image, image: Image) -> None:
    assert workshop.labels["sandbox-studio.contents"] == contents_hash()
    assert workshop.labels["sandbox-studio.protocol"] == str(PROTOCOL)
    config, sealed = workshop.attrs["Config"], image.attrs["Config"]
    assert config["User"] == "0:0"
    assert config["Entrypoint"] == sealed["Entrypoint"]
    assert config["WorkingDir"] == sealed["WorkingDir"]
    assert "HOME=/workspace" in config["Env"]


def test_every_file_that_its_database_names_is_there(
    engine: docker.DockerClient, workshop: Image
) -> None:
    lines = said(engine, workshop, "dpkg --verify").splitlines()
    differing = {line[12:] for line in lines}
    assert {path for path in differing if not UNREAD.search(path)} == OURS


def test_the_sealed_image_has_neither_apt_nor_its_files(
    engine: docker.DockerClient, image: Image
) -> None:
    assert said(engine, image, "ls -d /workshop /etc/apt /usr/bin/apt* 2>&- || true") == ""
    assert said(engine, image, "ls -A /var/lib/dpkg/info") == ""


def test_users_are_added_to_real_files(engine: docker.DockerClient, workshop: Image) -> None:
    assert said(engine, workshop, "stat -c %F /etc/passwd /etc/group; getent passwd _apt") == (
        "regular file\nregular file\n_apt:x:42:65534::/nonexistent:/usr/sbin/nologin\n"
    )


def test_nothing_of_the_building_machine_stays(
    engine: docker.DockerClient, workshop: Image
) -> None:
    def certificates_in(text: str) -> set[str]:
        return set(re.findall(r"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----", text))

    known = said(engine, workshop, "cat /usr/share/ca-certificates/mozilla/*.crt")
    inside = "grep -rlsZ 'BEGIN CERTIFICATE' /etc /usr/local /usr/share /var | xargs -0 cat"
    own = certificates_in(Path(certificates()).read_text("utf-8", "replace"))
    assert not certificates_in(said(engine, workshop, inside)) & (own - certificates_in(known))
    leftovers = "find /build /out /etc/apt/apt.conf.d/build /var/*/apt -type f 2>&- || true"
    assert said(engine, workshop, leftovers) == ""
