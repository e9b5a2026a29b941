"""Builds the images of this checkout, those of sandboxes and of their proxy, unless they are here.

    python3 -m sandbox_image.build [sealed | workshop]

The workshop stands on the sealed image, so it builds both; without a word it is the profile that
`STUDIO_PROFILE` names, or `sealed`. Needs Python 3.11, the docker command and npm. Everything from
outside comes through the machine's own settings of apt, pip and npm; `APT_MIRROR` names another
Debian mirror.
"""

from __future__ import annotations

import argparse
import os
import shutil
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sandbox_image import base, fetch
from sandbox_image.contents import (
    HERE,
    PROTOCOL,
    REPOSITORIES,
    Profile,
    contents_hash,
    image_tag,
    proxy_tag,
)
from sandbox_image.libraries import collect_libraries

PROXY_SETTINGS = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/build-image", description="Builds the images.")
    default = os.environ.get("STUDIO_PROFILE", "sealed")
    parser.add_argument("profile", nargs="?", choices=list(REPOSITORIES), default=default)
    profiles: list[Profile] = ["sealed"]
    if parser.parse_args().profile == "workshop":
        profiles.append("workshop")
    labels = {"contents": contents_hash(), "protocol": str(PROTOCOL)}
    for profile in profiles:
        build(image_tag(profile), gather, labels, [f"--target={profile}"])
    build(proxy_tag(), gather_proxy)


def build(
    tag: str,
    gather: Callable[[Path], None],
    labels: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
) -> None:
    """Builds an image from the context that `gather` fills, if the engine does not have it."""
    if base.image_exists(tag):
        print(f"{tag} is here already.")
        return
    began = time.monotonic()
    base_image = base.ensure_base()
    with tempfile.TemporaryDirectory(prefix="sandbox-image-") as folder:
        context = Path(folder)
        gather(context)
        # The engine's cache goes by modes too, and umask must not decide what users can read.
        for path in context.rglob("*"):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        print(f"Building {tag} ...", flush=True)
        command = build_command(tag, base_image, labels or {}, [*options, str(context)])
        if subprocess.run(command, check=False).returncode:
            raise SystemExit(f"{tag} could not be built: see the messages above.")
    size = subprocess.run(
        ["docker", "image", "inspect", "--format", "{{.Size}}", tag],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    print(f"{tag}: {int(size) / 1e6:.0f} MB, {time.monotonic() - began:.0f} s.")


def gather(context: Path) -> None:
    """Fills the sandbox's build context: this folder's parts, and what comes from outside."""
    for part in ("config", "prepare", "tools", "guest"):
        shutil.copytree(
            HERE / part, context / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc")
        )
    shutil.copy(HERE / "Dockerfile", context)
    shutil.copy(certificates(), context / "ca-certificates.crt")
    shutil.copytree(fetch.wheels(), context / "wheels")
    modules = fetch.packages()
    fetch.collect_data(modules, context / "packages" / "node_modules")
    collect_libraries(modules, context / "javascript")


def gather_proxy(context: Path) -> None:
    """Fills the proxy's build context."""
    shutil.copytree(HERE / "proxy", context, dirs_exist_ok=True)
    shutil.copy(certificates(), context / "ca-certificates.crt")


def certificates() -> str:
    """The bundle that this machine trusts; only the stages that run apt see it."""
    found = os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().cafile
    if not found or not Path(found).is_file():
        raise SystemExit("No certificate bundle found; set SSL_CERT_FILE.")
    return found


def build_command(
    tag: str, base_image: str, labels: Mapping[str, str], options: Sequence[str]
) -> list[str]:
    arguments = {"BASE": base_image}
    if mirror := base.debian_mirror():
        arguments["APT_MIRROR"] = mirror
    arguments |= {name: os.environ[name] for name in PROXY_SETTINGS if os.environ.get(name)}
    newest = f"{tag.partition(':')[0]}:dev"
    command = ["docker", "build", "--network=host", f"--tag={tag}", f"--tag={newest}"]
    command += [f"--build-arg={name}={value}" for name, value in arguments.items()]
    command += [f"--label=sandbox-studio.{name}={value}" for name, value in labels.items()]
    return [*command, *options]


if __name__ == "__main__":
    main()
