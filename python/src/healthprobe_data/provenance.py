"""Which text of an export reaches a table.

``full`` prints everything. ``hashed`` and ``none`` print what a whitelist has: HealthKit's identifiers and words,
units, versions of Apple's hardware and software. Any other text is a pseudonym (``hashed``), or left out (``none``,
which numbers sources).
"""

from __future__ import annotations

import re

from .instants import is_zone
from .pseudonyms import Key
from .units import unit

PROFILES = ("full", "hashed", "none")

_WORD = re.compile(r"HK[A-Za-z0-9_]{1,98}")
#: Numbers, a word of preliminary versions, and a build in brackets: Apple's (21E236), or numbers too.
_NUMBERS = r"[0-9]{1,8}(\.[0-9]{1,8}){0,4}"
_VERSION = re.compile(
    rf"{_NUMBERS}(-?(a|b|alpha|beta|rc)\.?[0-9]{{0,3}})?( \(({_NUMBERS}|[0-9]{{1,2}}[A-Z][0-9]{{1,5}}[a-z]?)\))?"
)
_SOFTWARE = re.compile(r"[0-9]{1,3}(\.[0-9]{1,4}){0,3}")
_HARDWARE = re.compile(
    r"(iPhone|Watch|iPad|iPod|Mac[A-Za-z]{0,10}|AppleTV|AudioAccessory|RealityDevice)[0-9]{1,3},[0-9]{1,3}"
)
_FAMILY = re.compile(r"(iPhone|Watch|iPad|iPod)[0-9]{0,3}")
_MODELS = frozenset(["iPhone", "Watch", "iPad", "iPod", "iPod touch", "Mac", "Apple TV"])
_CLINICAL = frozenset(
    f"ClinicalRecord/{name}"
    for name in (
        "AllergyIntolerance",
        "AllergyRecord",
        "ClinicalNoteRecord",
        "Condition",
        "ConditionRecord",
        "Coverage",
        "CoverageRecord",
        "DiagnosticReport",
        "DocumentReference",
        "Immunization",
        "ImmunizationRecord",
        "LabResult",
        "LabResultRecord",
        "MedicationDispense",
        "MedicationOrder",
        "MedicationRecord",
        "MedicationRequest",
        "MedicationStatement",
        "Observation",
        "Procedure",
        "ProcedureRecord",
        "VitalSign",
        "VitalSignRecord",
    )
)

#: The fields by which records differ, as ``changed_fields`` names them.
FIELDS = frozenset(
    "sourceName sourceVersion device creationDate metadata startDate endDate value unit attributes children beats text "
    "samples".split()
)


def is_unit(text: str) -> bool:
    """Whether every symbol of a text is one of HealthKit's units."""
    return len(text) <= 40 and unit(text) is not None


class Provenance:
    """Prints texts as a profile has them.

    :param profile: ``full``, ``hashed`` or ``none``
    :param key: the key of pseudonyms; needed with ``hashed``
    """

    def __init__(self, profile: str, key: Key | None = None):
        if profile == "hashed" and key is None:
            raise ValueError("hashed needs a key")
        self.profile, self.key = profile, key
        self._numbers: dict[str, int] = {}

    @property
    def is_full(self) -> bool:
        """Whether everything is printed."""
        return self.profile == "full"

    def number_sources(self, names: list[str]) -> None:
        """Gives sources their numbers with ``none``: in the order in which the archive first had them."""
        for name in names:
            self._numbers.setdefault(name, len(self._numbers) + 1)

    def source(self, text: str | None) -> str | None:
        """The name of a source."""
        if text is None or self.is_full:
            return text
        if self.profile == "none":
            return str(self._numbers.setdefault(text, len(self._numbers) + 1))
        return self.key.short(text, "source")

    def type(self, text: str) -> str:
        """The identifier of a sample type; never None."""
        if self.is_full or _WORD.fullmatch(text) or text in _CLINICAL:
            return text
        prefix = "Element/_" if text.startswith("Element/") else "_"
        return prefix + (self._other(text.removeprefix("Element/"), "text") or "")

    def unit(self, text: str | None) -> str | None:
        """A unit."""
        return text if text is None or self.is_full or is_unit(text) else self._other(text, "text")

    def word(self, text: str | None) -> str | None:
        """A value of a category, or an activity: one of HealthKit's own words."""
        return text if text is None or self.is_full or _WORD.fullmatch(text) else self._other(text, "text")

    def version(self, text: str | None) -> str | None:
        """A version of a source or of the export's format."""
        return text if text is None or self.is_full or _VERSION.fullmatch(text) else self._other(text, "text")

    def zone(self, text: str | None) -> str | None:
        """A time zone; only what is none of the zone database is other text."""
        return text if text is None or self.is_full or is_zone(text) else self._other(text, "text")

    def hardware(self, text: str | None) -> str | None:
        """A hardware family of Apple's, as ``Watch7``."""
        return text if text is None or self.is_full or _FAMILY.fullmatch(text) else self._other(text, "device")

    def field(self, text: str) -> str:
        """The name of a field that changed."""
        return text if self.is_full or text in FIELDS else "_" + (self._other(text, "text") or "")

    def chain(self, text: str) -> str:
        """The name of a chain."""
        return text if self.is_full or text == "default" else "_" + (self._other(text, "text") or "")

    def finding(self, text: str | None) -> str | None:
        """The name of an unknown element or attribute."""
        return text if text is None or self.is_full else self._other(text, "text")

    def workout(self, text: str | None) -> str | None:
        """The UUID of a workout in a condenser's identifier."""
        return text if text is None or self.is_full else self._other(text, "metadata")

    def device(self, fields: dict) -> tuple[str | None, str | None, str | None, str | None]:
        """Manufacturer, model, hardware and software of a device."""
        names = ("manufacturer", "model", "hardware", "software")
        values = [fields.get(name) if isinstance(fields.get(name), str) else None for name in names]
        if self.is_full:
            return tuple(values)
        is_apple = values[0] == "Apple Inc."
        allowed = (
            is_apple,
            is_apple and values[1] in _MODELS,
            is_apple and values[2] is not None and _HARDWARE.fullmatch(values[2]),
            is_apple and values[3] is not None and _SOFTWARE.fullmatch(values[3]),
        )
        return tuple(
            value if value is None or plain else self._other(value, "device") for value, plain in zip(values, allowed)
        )

    def _other(self, text: str, domain: str) -> str | None:
        return None if self.profile == "none" else self.key.short(text, domain)
