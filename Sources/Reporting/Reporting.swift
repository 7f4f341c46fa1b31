// Reporting: how findings become text. One value from the archive, one description for people, one row for programs.
//
// In the order in which to read: `Wording.swift` has the words for what was found: neutral, and naming what can be shown;
// why a record is no longer visible is not stated unless there is evidence. `Documents/` describes what each command
// shows, as a `Document` that Presentation renders; `Report/` does so for the report of two observations. `Rows/` are the
// lines of the contract (`docs/cli.md` lists every name) and the rows of CSV. What is shown was read before, or is handed
// over row by row; only `ReportImpact` and `RecordChange` ask for it themselves.
