"""Names of sample types: short forms, and the patterns of ``--type``."""

from __future__ import annotations

from collections.abc import Iterable


def short(identifier: str) -> str:
    """The short form of a type: ``HeartRate`` of ``HKQuantityTypeIdentifierHeartRate``."""
    if not identifier.startswith("HK"):
        return identifier
    before, marker, name = identifier.partition("TypeIdentifier")
    if marker:
        return name or before[2:] or identifier
    name = identifier.removeprefix("HKDataType")
    return name if name != identifier and name else identifier


class TypeFilter:
    """Which types ``--type`` and ``--exclude-type`` leave, by the rules of the program's options.

    :param only: full identifiers or short forms in any case, or either with ``*`` at its end; a text is one of them;
        none: all types
    :param without: the same, left out of these; none: nothing
    """

    def __init__(self, only: Iterable[str] | str = (), without: Iterable[str] | str = ()):
        only, without = ((names,) if isinstance(names, str) else names for names in (only, without))
        self.only, self.without = _once(only), _once(without)

    def __call__(self, identifier: str) -> bool:
        return (not self.only or self._matches(self.only, identifier)) and not self._matches(self.without, identifier)

    def unmatched(self, identifiers: Iterable[str]) -> list[str]:
        """The arguments that none of the identifiers answers to: probably misspelt."""
        known = list(identifiers)
        names = self.only + self.without
        return [name for name in names if not any(self._matches([name], identifier) for identifier in known)]

    @staticmethod
    def _matches(patterns: list[str], identifier: str) -> bool:
        names = (identifier.lower(), short(identifier).lower())
        for pattern in patterns:
            text = pattern.lower()
            if text.endswith("*"):
                if any(name.startswith(text[:-1]) for name in names):
                    return True
            elif text in names:
                return True
        return False


def _once(names: Iterable[str]) -> list[str]:
    """Names that differ in case alone are one: the first in order."""
    return sorted({name.lower(): name for name in sorted(names, reverse=True) if name}.values())
