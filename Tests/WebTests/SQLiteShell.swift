import TestSupport

/// What SQLite's shell prints; nil where there is none.
func sqlite(_ path: String, _ sql: String) throws -> String? {
    let answer = try RunningChild.run("/usr/bin/env", ["sqlite3", path, sql])
    return answer.status == 127 ? nil : try answer.expecting(0).outputText
}

extension WebArchive {
    /// Changes counts as no import does, so that `check` finds it; false where there is no shell of SQLite.
    func damage() throws -> Bool {
        try sqlite(sandbox.archive, "UPDATE type_runs SET visible_count = visible_count + 7") != nil
    }
}
