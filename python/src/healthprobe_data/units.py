"""What HealthKit's table says of quantity types, and conversion between units, as the program does both."""

from __future__ import annotations

import functools
import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from importlib import resources


@functools.cache
def _types() -> dict[str, dict]:
    # A copy of Sources/HealthModel/Units/quantity-types.json; a test compares them.
    table = json.loads(resources.files(__package__).joinpath("quantity-types.json").read_text())
    return {entry["identifier"]: entry for entry in table}


def canonical_unit(identifier: str) -> str | None:
    """HealthKit's canonical unit of a quantity type; None for a type that its table does not know."""
    return _types().get(identifier, {}).get("unit")


@dataclass(frozen=True)
class Unit:
    """A unit as exports print it: the powers of what it measures, its size in the common unit, and where its zero is."""

    dimension: tuple[tuple[str, int], ...]
    scale: float
    offset: float = 0.0


def linear(source: str, target: str) -> tuple[float, float] | None:
    """Factor and summand that convert values; None where a unit is unknown or the dimensions differ."""
    if source == target:
        return 1.0, 0.0
    a, b = unit(source), unit(target)
    if a is None or b is None or a.dimension != b.dimension:
        return None
    return a.scale / b.scale, (a.offset - b.offset) / b.scale


_ENERGY, _LENGTH3 = {"mass": 1, "length": 2, "time": -2}, {"length": 3}
_VOLTAGE = {"mass": 1, "length": 2, "time": -3, "current": -1}
_CONDUCTANCE = {"mass": -1, "length": -2, "time": 3, "current": 2}
_PRESSURE = {"mass": 1, "length": -1, "time": -2}
#: The factors of UnitSymbols.swift, with the SI's base units as the common ones. These symbols take no prefix.
_PLAIN = {
    **{name: ({"length": 1}, size) for name, size in (("in", 0.0254), ("ft", 0.3048), ("yd", 0.9144), ("mi", 1609.344))},
    **{name: ({"mass": 1}, size) for name, size in (("oz", 0.028349523125), ("lb", 0.45359237), ("st", 6.35029318))},
    **{name: ({"time": 1}, size) for name, size in (("min", 60), ("hr", 3600), ("d", 86_400))},
    "Cal": (_ENERGY, 4184),
    "K": ({"temperature": 1}, 1),
    "degC": ({"temperature": 1}, 1, 273.15),
    "degF": ({"temperature": 1}, 5 / 9, 459.67 * 5 / 9),
    "mmHg": (_PRESSURE, 133.322387415),
    "inHg": (_PRESSURE, 3386.388640341),
    "atm": (_PRESSURE, 101_325),
    "cmAq": (_PRESSURE, 98.0665),
    "cmH2O": (_PRESSURE, 98.0665),
    "fl_oz_us": (_LENGTH3, 2.95735295625e-5),
    "fl_oz_imp": (_LENGTH3, 2.84130625e-5),
    "cup_us": (_LENGTH3, 2.365882365e-4),
    "cup_imp": (_LENGTH3, 2.84130625e-4),
    "pt_us": (_LENGTH3, 4.73176473e-4),
    "pt_imp": (_LENGTH3, 5.6826125e-4),
    "D": ({"length": -1}, 1),
    "rad": ({"angle": 1}, 1),
    "deg": ({"angle": 1}, math.pi / 180),
    **{
        name: ({name: 1}, 1)
        for name in ("count", "%", "IU", "dBASPL", "dBHL", "appleEffortScore", "prism_diopter", "lx")
    },
}
_PREFIXABLE = {
    "m": ({"length": 1}, 1),
    "g": ({"mass": 1}, 1e-3),
    "s": ({"time": 1}, 1),
    "L": (_LENGTH3, 1e-3),
    "l": (_LENGTH3, 1e-3),
    "J": (_ENERGY, 1),
    "cal": (_ENERGY, 4.184),
    "Pa": (_PRESSURE, 1),
    "V": (_VOLTAGE, 1),
    "S": (_CONDUCTANCE, 1),
    "W": ({"mass": 1, "length": 2, "time": -3}, 1),
    "Hz": ({"time": -1}, 1),
    "mol": ({"amount": 1}, 1),
}
_PREFIXES = {"mc": 1e-6, "da": 1e1, "μ": 1e-6, "µ": 1e-6, "f": 1e-15, "p": 1e-12, "n": 1e-9, "m": 1e-3} | {
    "c": 1e-2, "d": 1e-1, "h": 1e2, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12
}  # fmt: skip
_SYMBOL = re.compile(r"([A-Za-z0-9_%μµ]+)(?:<([0-9.]{1,20})>)?")
_POWER = re.compile(r"\^(-?[1-9])(?![0-9])")


@functools.lru_cache(maxsize=10_000)
def unit(text: str) -> Unit | None:
    """Reads a unit such as ``mL/min·kg``: what follows a ``/`` is the denominator; None where a part is unknown."""
    try:
        found, end = _product(text, 0, 0)
    except (ValueError, LookupError):
        return None
    return found if end == len(text) <= 128 else None


def _product(text: str, at: int, depth: int) -> tuple[Unit, int]:
    """The unit from a place on, to the end or to a closing bracket."""
    powers: Counter[str] = Counter()
    scale, offset, sign, factors = 1.0, 0.0, 1, 0
    while True:
        if text.startswith("(", at) and depth < 4:
            factor, at = _product(text, at + 1, depth + 1)
            at = text.index(")", at, at + 1) + 1
        elif part := _SYMBOL.match(text, at):
            factor, at = _symbol(*part.groups()), part.end()
        else:
            raise ValueError
        power = _POWER.match(text, at)
        exponent = sign * int(power.group(1)) if power else sign
        at = power.end() if power else at
        scale *= factor.scale**exponent
        powers.update({name: count * exponent for name, count in factor.dimension})
        # Within a product a degree is a difference of temperatures.
        factors += 1
        offset = factor.offset if factors == exponent == 1 else 0.0
        if at == len(text) or text[at] == ")":
            return Unit(tuple(sorted((name, count) for name, count in powers.items() if count)), scale, offset), at
        if text[at] not in "/·⋅*.":
            raise ValueError
        sign = -1 if text[at] == "/" else sign
        at += 1


def _symbol(name: str, molar_mass: str | None) -> Unit:
    known = _PLAIN.get(name) or _PREFIXABLE.get(name) or next(
        (
            (_PREFIXABLE[base][0], _PREFIXABLE[base][1] * factor)
            for prefix, factor in _PREFIXES.items()
            if name.startswith(prefix) and (base := name[len(prefix) :]) in _PREFIXABLE
        ),
        None,
    )
    if known is None:
        raise ValueError
    powers, size, *offset = known
    if molar_mass:
        grams = float(molar_mass)
        if powers != {"amount": 1} or not 0 < grams < math.inf:
            raise ValueError
        powers, size = {"mass": 1}, size * grams * 1e-3
    return Unit(tuple(powers.items()), size, *offset)
