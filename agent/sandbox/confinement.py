"""What a sandbox has and may do: told to the engine, which enforces it, and to the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import sandbox_image
from sandbox_image import Profile

Network = Literal["none", "packages", "open"]

WORKSPACE = "/workspace"
# Where the guest keeps what it must be able to write when everything else is full.
GUEST = "/run/guest"
GUEST_BYTES = 16 << 20
SHM_BYTES = 64 << 20
OPEN_FILES = 4096
FILES = 200_000
MARGIN = 1 << 20
# Half of a program's usual weight: the host's own programs come first.
CPU_SHARES = 512
# What apt and dpkg need to install; `KILL` ends what other users of the container run.
WORKSHOP_RIGHTS = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID")


@dataclass(frozen=True, slots=True, kw_only=True)
class Confinement:
    """Bytes, cores and counts of one sandbox, and its two policies.

    `sealed` is nobody in a read-only system. `workshop` is root in a writable one, with no more
    rights than installing packages takes; what it writes outside of `/workspace` and `/tmp` is on
    the engine's disk, without a limit of its own.
    """

    profile: Profile = "sealed"
    network: Network = "none"
    memory: int = 4 << 30
    workspace: int = 2 << 30
    processes: int = 512
    cpus: float = 2.0

    @property
    def tmp(self) -> int:
        """Bytes of `/tmp`, which is in the memory as well."""
        return self.memory // 4

    def settings(self, uid: int) -> Mapping[str, Any]:
        """The engine's settings for a container whose user has the number `uid`."""
        sealed = self.profile == "sealed"
        owner = f"uid={uid},gid={uid}"
        # More than fits, so that a full disk is what a program meets first.
        largest = max(self.workspace, self.tmp) + MARGIN
        return {
            "auto_remove": True,
            "privileged": False,
            "read_only": sealed,
            "cap_drop": ["ALL"],
            "cap_add": [] if sealed else list(WORKSHOP_RIGHTS),
            "security_opt": ["no-new-privileges", f"seccomp={seccomp()}"],
            "mem_limit": self.memory,
            "memswap_limit": self.memory,
            "shm_size": SHM_BYTES,
            "pids_limit": self.processes,
            "nano_cpus": int(self.cpus * 10**9),
            "cpu_shares": CPU_SHARES,
            "ulimits": [
                {"Name": "nofile", "Soft": OPEN_FILES, "Hard": OPEN_FILES},
                {"Name": "fsize", "Soft": largest, "Hard": largest},
                {"Name": "core", "Soft": 0, "Hard": 0},
            ],
            "tmpfs": {
                WORKSPACE: f"{_tmpfs(self.workspace)},mode=0755,{owner}",
                "/tmp": f"{_tmpfs(self.tmp)},mode=1777",
                GUEST: f"{_tmpfs(GUEST_BYTES)},mode=0700,{owner}",
            },
            "log_config": {"Type": "none"},
            "ipc_mode": "private",
        }


def _tmpfs(size: int) -> str:
    return f"rw,exec,nosuid,nodev,size={size},nr_inodes={FILES}"


@cache
def seccomp() -> str:
    """The system calls that the kernel answers, as the engine wants to be told."""
    return Path(sandbox_image.__file__).with_name("seccomp.json").read_text(encoding="utf-8")
