"""The program ``healthprobe`` as a child process, with surroundings of its own."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import resource
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

from .. import parquet
from ..errors import HealthProbeDataError

#: Held while a program is asked: threads that look at participants would each start it.
_ASKING = threading.Lock()
_DEATH_SIGNAL = 1
#: The exit codes that say something of the exports or the archive. Any other is the system's, or that of a program that
#: broke or does not know the command.
_RESULTS = (0, 3, 4, 65, 66)
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Program:
    """Which program it is: path and SHA-256."""

    path: str
    sha256: str

    @classmethod
    def find(cls, path: str | None) -> "Program":
        """The program at a path, or the one of that name on ``PATH``.

        :raises HealthProbeDataError: ``missingPackage``
        """
        found = shutil.which(path or "healthprobe")
        if found is None:
            raise HealthProbeDataError(
                "missingPackage",
                "The program healthprobe was not found.",
                "Install it with: make install; or name it with --program.",
            )
        found = os.path.realpath(found)
        info = os.stat(found)
        return cls(found, _digest(found, info.st_mtime_ns, info.st_size))

    @property
    def version(self) -> str:
        """What it says of itself; it is started for that, once a process.

        :raises HealthProbeDataError: ``missingPackage``
        """
        with _ASKING:
            return _version(self.path, self.sha256)


@functools.lru_cache(maxsize=8)
def _digest(path: str, _modified: int, _size: int) -> str:
    try:
        return parquet.sha256(path)
    except OSError:
        raise _unusable() from None


@functools.lru_cache(maxsize=8)
def _version(path: str, _sha256: str) -> str:
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        raise _unusable() from None
    return done.stdout.strip()


def _unusable() -> HealthProbeDataError:
    return HealthProbeDataError(
        "missingPackage",
        "The program healthprobe cannot be run.",
        "Install it with: make install; or name it with --program.",
    )


@dataclass
class Answer:
    """What a command of the program answered."""

    exit: int
    lines: list[dict]
    errors: list[dict]

    @property
    def code(self) -> str:
        """The code of the first error; empty without one."""
        return self.errors[0].get("code", "") if self.errors else ""


class Runner:
    """Runs commands on one archive and adds up their seconds by step."""

    def __init__(self, program: Program, archive: str, secret_file: str, folder: str):
        self._program, self._archive, self._secret = program, archive, secret_file
        keep = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TZDIR")
        self._environment = {name: os.environ[name] for name in keep if name in os.environ}
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME", "TMPDIR"):
            self._environment[name] = os.path.join(folder, "xdg", name.lower())
            os.makedirs(self._environment[name], mode=0o700, exist_ok=True)
        #: Wall and CPU seconds by step.
        self.seconds: dict[str, list[float]] = {}

    def run(self, step: str, *arguments: str) -> Answer:
        """Runs one command with ``--json``.

        :raises HealthProbeDataError: where the system, and not the export, is at fault
        """
        command = [self._program.path, *arguments, "--json", "--archive", self._archive, "--secret-file", self._secret]
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            command, capture_output=True, env=self._environment, stdin=subprocess.DEVNULL, preexec_fn=_end_with_parent
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.add(step, time.monotonic() - began, cpu)
        answer = Answer(
            done.returncode, _objects(done.stdout), [e["error"] for e in _objects(done.stderr) if "error" in e]
        )
        if done.returncode not in _RESULTS:
            code = "diskFull" if answer.code == "diskFull" else "inputOutput"
            raise HealthProbeDataError(
                code,
                f"healthprobe ended with {done.returncode} in the step {step}.",
                "Check --program and run ingest again.",
                answer.code or None,
            )
        return answer

    def add(self, step: str, wall: float, cpu: float) -> None:
        """Adds seconds to a step."""
        total = self.seconds.setdefault(step, [0.0, 0.0])
        total[0], total[1] = total[0] + wall, total[1] + cpu


def _end_with_parent() -> None:
    # A worker that is killed must not leave its program running.
    _LIBC.prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def _objects(text: bytes) -> list[dict]:
    found = []
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found
