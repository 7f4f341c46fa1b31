"""The one error of this package: code, message, hint, as the program prints them (docs/cli.md)."""

from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Iterator

#: Exit codes by error code. Those that the program has too mean the same.
EXIT_CODES = {
    "archiveDamaged": 4,
    "integrityFailure": 4,
    "usage": 64,
    "unknownChain": 64,
    "unknownObservation": 64,
    "wrongKey": 64,
    "lakeDiffers": 64,
    "notAnArchive": 65,
    "newerArchive": 65,
    "olderArchive": 65,
    "newerLake": 65,
    "tooFewParticipants": 65,
    "noSuchInput": 66,
    "noArchive": 66,
    "noLake": 66,
    "cannotCreate": 73,
    "inputOutput": 74,
    "diskFull": 74,
    "keyUnreadable": 74,
    "missingPackage": 74,
    "programDiffers": 74,
    "exhausted": 74,
    "archiveInUse": 75,
    "interrupted": 130,
}


class HealthProbeDataError(Exception):
    """Why something could not be done, and what to do about it.

    :param code: a key of ``EXIT_CODES``
    :param message: what happened, without values or names from an export
    :param hint: what to do about it
    :param cause: what SQLite, Arrow or the system reported
    """

    def __init__(self, code: str, message: str, hint: str, cause: str | None = None):
        super().__init__(message)
        self.code, self.message, self.hint, self.cause = code, message, hint, cause

    def __reduce__(self):
        # Spark's workers hand errors to the driver.
        return (HealthProbeDataError, (self.code, self.message, self.hint, self.cause))

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return EXIT_CODES[self.code]

    def json(self) -> str:
        """The line that ``--json`` prints on standard error."""
        error = {"code": self.code, "message": self.message, "hint": self.hint}
        if self.cause:
            error["cause"] = self.cause
        return json.dumps({"error": error}, ensure_ascii=False, separators=(",", ":"))


def damaged(cause: str | None = None) -> HealthProbeDataError:
    """The error of an archive that has what no archive has."""
    hint = "Run healthprobe check, then healthprobe archive repair."
    return HealthProbeDataError("archiveDamaged", "The archive is damaged.", hint, cause)


@contextlib.contextmanager
def damage() -> Iterator[None]:
    """Tells of a stored value that does not fit as of damage; also a decorator. The kind of the error is enough."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, struct.error) as error:
        raise damaged(type(error).__name__) from error
