/// What the model is compared with: an archive under test, answering in the contract's JSON.
///
/// An adapter may add `"exitCode"` to the answers of `importExport` and `check`; it is checked where it is there.
protocol ArchiveUnderTest {
    /// Imports one export: the object of `import --json`.
    func importExport(at path: String) throws -> [String: Any]
    /// Imports an export that is no part of the history, for ``withdraw(_:)``; nil where the archive has no history of its own.
    func importMistake(at path: String) throws -> Int?
    /// Withdraws an observation.
    func withdraw(_ observation: Int) throws
    /// What an import said, as it is now: the object of `show --json`.
    func show(_ observation: Int) throws -> [String: Any]
    /// All visible records: the lines of `records --at OBS --json`, all pages, without the `{"next"}` lines.
    func records(at observation: Int) throws -> [[String: Any]]
    /// Counts: the object of `diff --json`, where wanted with `--through`.
    func diff(from: Int, to: Int, through: Bool) throws -> [String: Any]
    /// The lines of `diff --records --json`, where wanted with `--through`.
    func diffRecords(from: Int, to: Int, through: Bool) throws -> [[String: Any]]
    /// The object of `check --deep --json`.
    func check() throws -> [String: Any]
}
