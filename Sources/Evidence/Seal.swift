package import GRDB
package import HealthModel
internal import Store

/// One link of the archive's chain of seals.
package struct Seal: Sendable, Equatable {
    /// 1 for the archive's first seal.
    package var sequence: Int64
    /// The observation that was imported or withdrawn; nil for a repair.
    package var observation: Int64?
    /// SHA-256 of `hp:v2:seal:` and the statement.
    package var digest: Digest256
    /// Canonical JSON (RFC 8785); `docs/archive-format.md` describes its members.
    package var statement: String

    /// The form of the statements, their member `version`.
    static let statementVersion: Int64 = 3
}

extension Seal {
    /// Nil for a row that has not the form of a seal.
    package init?(_ row: Row) {
        guard
            let seal = try? Seal(
                sequence: row.get("sequence"), observation: row.get("import_id"), digest: row.get("seal"),
                statement: row.get("statement"))
        else { return nil }
        self = seal
    }

    package static func digest(of statement: String) -> Digest256 { Digest256(hashing: "hp:v2:seal:" + statement) }
}
