package import GRDB
internal import HealthModel

/// What an import was asked to keep of its container.
package struct KeptSource: Sendable, Equatable {
    package enum Choice: String, Sendable, CaseIterable {
        /// The file itself, beside the archive.
        case copy
        /// Its name, its size and the hashes of all that is in it.
        case reference
        /// Only what every observation has: name, size and the hashes of container and main XML.
        case none
    }

    package var choice: Choice
    /// The name in the archive's folder of sources; nil where no copy is kept.
    package var name: String?

    package init(choice: Choice, name: String? = nil) {
        self.choice = choice
        self.name = name
    }

    /// What was kept of an observation's source; nil where nothing is written down.
    package static func read(_ db: Database, observation: Int64) throws -> KeptSource? {
        let row = try Row.fetchOne(
            db, sql: "SELECT keep_source, kept_name FROM import_sources WHERE import_id = ?", arguments: [observation])
        return try row.map {
            guard let choice = try Choice(rawValue: $0.get("keep_source")) else {
                throw HealthProbeError.damagedRow("import_sources", observation)
            }
            return try KeptSource(choice: choice, name: $0.get("kept_name"))
        }
    }
}
