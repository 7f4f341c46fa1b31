internal import Basics
internal import Foundation
package import GRDB
internal import HealthModel
internal import Store

/// What an observation's document said of itself beside its items.
package struct ExportedDocument: Sendable {
    /// Where the observation's date comes from: `exportDate`, `argument` or `modification`.
    package var observedAtOrigin: String
    /// Attributes and texts of the root and of `ExportDate`, by name, in order.
    package var extras: [(name: String, value: String)]
    /// The names of elements, attributes and texts that the chain's exports had beside the known grammar, up to this one;
    /// elements in `ExportDate` are kept as evidence and not written again.
    package var unknownNames: [String]

    /// Reads them.
    ///
    /// - Parameter history: the ids of the chain's observations up to the one in question, which is the last.
    package static func read(_ db: Database, history: [Int64]) throws -> ExportedDocument {
        let observation = history.last ?? 0
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT observed_at_origin, document_extras FROM imports WHERE id = ?",
                arguments: [observation])
        else { throw HealthProbeError.damagedRow("imports", observation) }
        let stored = try (row.get("document_extras") as String?).flatMap { JSON.parse($0) }
        let extras = (stored?.elements ?? []).compactMap { entry -> (name: String, value: String)? in
            guard entry.elements.count == 2, let name = entry.elements[0].string, let value = entry.elements[1].string
            else { return nil }
            return (name, value)
        }
        let list = history.sqlList
        var names = try String.fetchSet(
            db, sql: "SELECT DISTINCT name FROM unknown_names WHERE import_id IN (\(list))")
        // Only so many are counted by name.
        let isCut = names.remove(UnknownName.others) != nil
        let found = try UnknownElements.names(
            db, of: isCut ? nil : names.filter { !$0.contains("@") && !$0.contains("#") }, history: history)
        names.formUnion(found)
        if found.count >= UnknownElements.most { names.insert(UnknownName.others) }
        return try ExportedDocument(
            observedAtOrigin: row.get("observed_at_origin"), extras: extras,
            unknownNames: names.filter { !$0.hasPrefix("ExportDate/") }.sorted {
                $0.utf8.lexicographicallyPrecedes($1.utf8)
            })
    }
}
