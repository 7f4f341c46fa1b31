"""The program ``healthprobe`` as a child process."""

from __future__ import annotations

import csv
import ctypes
import functools
import hashlib
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .errors import HealthProbeDataError, damaged

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

    @classmethod
    def near(cls, path: str | None) -> "Program | None":
        """``find``, where it may be missing: also in the copy of the repository that this package is run from.

        :raises HealthProbeDataError: ``missingPackage`` where the path that was given has none
        """
        built = Path(__file__).parents[3] / ".build" / "release" / "healthprobe"
        if path or shutil.which("healthprobe"):
            return cls.find(path)
        return cls.find(str(built)) if built.exists() else None

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
        return sha256(path)
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

    @property
    def message(self) -> str:
        """What it says of it; no value and no name of an export."""
        return self.errors[0].get("message", "") if self.errors else ""


class Runner:
    """Runs commands on one archive and adds up their seconds by step.

    :param folder: where the program's settings, keys and caches are, in place of the user's
    """

    def __init__(self, program: Program, archive: str, secret_file: str | None = None, folder: str | None = None):
        self._program = program
        self._options = ["--archive", archive, *(["--secret-file", secret_file] if secret_file else [])]
        self._environment = dict(os.environ)
        if folder is not None:
            keep = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TZDIR")
            self._environment = {name: os.environ[name] for name in keep if name in os.environ}
            for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME", "TMPDIR"):
                self._environment[name] = os.path.join(folder, "xdg", name.lower())
                os.makedirs(self._environment[name], mode=0o700, exist_ok=True)
        #: Wall and CPU seconds by step.
        self.seconds: dict[str, list[float]] = {}

    def run(self, step: str, *arguments: str) -> Answer:
        """Runs one command with ``--json``.

        :raises HealthProbeDataError: where the system, and not the export, is at fault
        """
        began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        with self._start(*arguments, "--json") as process:
            output, errors = process.communicate()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.add(step, time.monotonic() - began, cpu)
        answer = Answer(process.returncode, _objects(output), [e["error"] for e in _objects(errors) if "error" in e])
        if process.returncode not in _RESULTS:
            raise _ended(process.returncode, arguments[0], answer.code)
        return answer

    def lines(self, *arguments: str) -> Iterator[dict]:
        """The JSON lines of a command that reads the archive, as they come.

        :raises HealthProbeDataError: ``archiveDamaged``, ``inputOutput``, ``diskFull``
        """
        for line in self._read(*arguments, "--json"):
            yield json.loads(line)

    def rows(self, *arguments: str) -> Iterator[dict[str, str]]:
        """The rows of ``--csv``, as they come."""
        return csv.DictReader(self._read(*arguments, "--csv"), strict=True)

    def _read(self, *arguments: str) -> Iterator[str]:
        # Messages are few: they have room in the pipe.
        with self._start(*arguments) as process:
            try:
                yield from io.TextIOWrapper(process.stdout, encoding="utf-8", newline="")
                errors = [e["error"] for e in _objects(process.stderr.read()) if "error" in e]
                if code := process.wait():
                    name = errors[0].get("code") if errors else None
                    raise damaged(name) if code == 4 else _ended(code, arguments[0], name)
            finally:
                process.kill()

    def _start(self, *arguments: str) -> subprocess.Popen:
        return subprocess.Popen(
            [self._program.path, *arguments, *self._options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
            preexec_fn=_end_with_parent,
        )

    def add(self, step: str, wall: float, cpu: float) -> None:
        """Adds seconds to a step."""
        total = self.seconds.setdefault(step, [0.0, 0.0])
        total[0], total[1] = total[0] + wall, total[1] + cpu


def sha256(path: str) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _ended(exit: int, command: str, code: str | None) -> HealthProbeDataError:
    return HealthProbeDataError(
        "diskFull" if code == "diskFull" else "inputOutput",
        f"healthprobe {command} ended with {exit}.",
        "Check --program, and run it again.",
        code or None,
    )


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
