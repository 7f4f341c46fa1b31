internal import Basics
internal import GRDB
internal import HealthModel
internal import Store

/// The attributes of elements outside the known grammar, for the document type of a written export.
///
/// Readers count an unknown element as one, whatever it has; what it has is kept with the items.
enum UnknownElements {
    /// Names of one archive that are looked for; a hostile one may have any number.
    static let most = 200_000
    /// The elements that items are written as.
    private static let itemElements = ItemKind.allCases.compactMap(\.element).sorted()

    /// `element@attribute` for every attribute of these elements, wherever an item of these observations holds one.
    ///
    /// - Parameter elements: their names; nil where more were met than are counted by name: then all elements and
    ///   attributes of the items are reported, those that an item has beside its known ones as attributes of every item.
    /// - Complexity: a pass over the items that have attributes or children beside the common ones; nothing where there
    ///   are no unknown elements.
    static func names(_ db: Database, of elements: Set<String>?, history: [Int64]) throws -> Set<String> {
        guard elements?.isEmpty != true else { return [] }
        var found: Set<String> = []
        func note(_ name: String, _ attributes: [String]) {
            guard elements?.contains(name) ?? true else { return }
            if elements == nil, found.count < most { found.insert(name) }
            for attribute in attributes where found.count < most {
                found.insert("\(name)@\(attribute)")
            }
        }
        func visit(_ children: JSON?) {
            for child in children?.elements ?? [] {
                if let name = child["name"]?.string { note(name, child["attributes"]?.members.map(\.0) ?? []) }
                visit(child["children"])
            }
        }
        let rows = try VersionCursor(
            db,
            """
            SELECT \(VersionColumns.ofView("c")) FROM full_record_versions c
            WHERE (c.extras IS NOT NULL OR c.kind = \(ItemKind.unknown.rawValue))
                AND \(Visibility.everSQL("c", through: history))
            """)
        while try rows.next() {
            guard let item = try rows.item else { continue }
            if item.kind == .unknown, let name = item.element { note(name, item.keyAttributes.map(\.name)) }
            visit(item["children"])
            guard elements == nil else { continue }
            for name in itemElements { note(name, item.attributes.map(\.name)) }
        }
        return found
    }
}
