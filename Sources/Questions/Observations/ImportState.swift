package import GRDB
internal import Store

/// What the archive has of imports: which was the last, and whether one has not ended.
package struct ImportState: Sendable {
    /// The newest finished observation, over all chains; nil without one.
    package var newest: Int64?
    /// When an import has begun that has not ended, as Unix seconds: it writes now, or was killed.
    package var openSince: Int64?

    /// Reads them.
    package static func read(_ db: Database) throws -> ImportState {
        let imports = try PreparedStatement(
            db, "SELECT status, max(id), CAST(max(started_at) AS INTEGER) FROM imports GROUP BY status")
        var state = ImportState()
        while try imports.step() {
            let status = imports.text(0).flatMap(Observation.Status.init(rawValue:))
            if status?.isFinished ?? false { state.newest = max(state.newest ?? 0, imports.int(1)) }
            if status == .started { state.openSince = imports.int(2) }
        }
        return state
    }
}
