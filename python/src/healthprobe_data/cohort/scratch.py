"""Scratch: a folder of mode 0700 for one participant, removed at its end whatever happens.

A lock is held while the folder is in use, so what a killed process has left is found and removed by the next one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator

from ..errors import HealthProbeDataError

_PREFIX = "healthprobe-scratch-"
_LOCK = "lock"


class Scratch:
    """One folder, and the most bytes that it had when it was measured."""

    def __init__(self, path: str):
        self.path = path
        self.peak = 0

    def file(self, name: str) -> str:
        """The path of a file in it."""
        return os.path.join(self.path, name)

    def measure(self) -> None:
        """Adds up the bytes of all files."""
        total = 0
        for folder, _, names in os.walk(self.path):
            for name in names:
                with contextlib.suppress(OSError):
                    total += os.lstat(os.path.join(folder, name)).st_size
        self.peak = max(self.peak, total)

    def require(self, count: int) -> None:
        """Makes sure that so many bytes are free.

        :raises HealthProbeDataError: ``diskFull``: another node may have the room
        """
        if shutil.disk_usage(self.path).free < count:
            raise HealthProbeDataError("diskFull", "The scratch folder has too little room.", "Give another --scratch.")


@contextlib.contextmanager
def scratch(parent: str | None) -> Iterator[Scratch]:
    """A new folder below ``parent``, or below the system's temporary folder."""
    parent = parent or tempfile.gettempdir()
    os.makedirs(parent, exist_ok=True)
    clean(parent)
    path = tempfile.mkdtemp(prefix=_PREFIX, dir=parent)
    try:
        # The lock goes with this process, however it ends. It gets its name when it is held: others remove the folder
        # of a lock that nobody holds.
        with open(os.path.join(path, "locking"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            os.rename(lock.name, os.path.join(path, _LOCK))
            yield Scratch(path)
    finally:
        shutil.rmtree(path, ignore_errors=True)


def clean(parent: str | None) -> int:
    """Removes the folders of processes that are gone; how many there were."""
    parent = parent or tempfile.gettempdir()
    count = 0
    for name in os.listdir(parent) if os.path.isdir(parent) else []:
        path = os.path.join(parent, name)
        if not name.startswith(_PREFIX) or os.path.islink(path):
            continue
        with contextlib.suppress(OSError):
            with open(os.path.join(path, _LOCK), "r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
                count += 1
    return count
