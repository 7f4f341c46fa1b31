// Basics: the forms in which values become text, and the system's calls, below everything that knows of Health.
//
// In reading order: bytes without reference counting (`Bytes/`), the shortest decimal of a double (`CanonicalNumber`),
// the calendar and instants (`Instants/`), JSON as one value with one reader and two serialisations (`JSON/`), CSV with
// its guard against formulas (`CSV/`), and what a terminal may be shown (`TerminalText`). Only `System/` does input and
// output. `ByteBuffer`, `ByteView`, `CanonicalNumber`, `Instant` and the JSON string literals run once per record of an
// import, and so allocate nothing.
