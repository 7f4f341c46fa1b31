"""What all participants of a run have in common."""

from __future__ import annotations

from dataclasses import dataclass

from .. import __version__
from ..type_names import TypeFilter


@dataclass(frozen=True)
class Settings:
    """Handed to workers as it is."""

    lake: str
    secret_file: str
    program: str | None
    #: The version of the driver's program; None where no other node takes part.
    version: str | None
    program_sha256: str
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    scratch: str | None = None
    check: bool = False
    keep_archive: bool = False
    retry_failed: bool = False
    #: The driver's package.
    package: str = __version__
    #: Refuse a participant of whom a given zone contradicts the export.
    strict: bool = False
    #: The pseudonyms of those who keep an export that somebody else has, too.
    keep: tuple[str, ...] = ()

    @property
    def types(self) -> TypeFilter:
        """The lake's selection of types."""
        return TypeFilter(self.only, self.without)
