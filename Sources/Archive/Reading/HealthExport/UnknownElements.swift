internal import GRDB
internal import HealthModel

/// The attributes of elements outside the known grammar, for the document type of a written export.
///
/// Readers count an unknown element as one, whatever it has; what it has is kept with the items.
enum UnknownElements {
    /// Attributes of one archive that are looked for; a hostile one may have any number.
    private static let most = 10_000

    /// `element@attribute` for every attribute of these elements, wherever an item of these observations holds one.
    ///
    /// - Complexity: a pass over the items that have attributes or children beside the common ones; nothing where there
    ///   are no unknown elements.
    static func attributes(_ db: Database, of elements: Set<String>, history: [Int64]) throws -> Set<String> {
        guard !elements.isEmpty else { return [] }
        var found: Set<String> = []
        func note(_ name: String, _ attributes: CanonicalJSON?) {
            for (attribute, _) in attributes?.members ?? [] where found.count < most {
                found.insert("\(name)@\(attribute)")
            }
        }
        func visit(_ children: CanonicalJSON?) {
            for child in children?.elements ?? [] {
                if let name = child["name"]?.string, elements.contains(name) { note(name, child["attributes"]) }
                visit(child["children"])
            }
        }
        let rows = try UnsafeStatement(
            db,
            """
            SELECT c.strict_key, c.extras FROM copies c WHERE (c.extras IS NOT NULL OR c.sample_type_id IN (
                    SELECT id FROM sample_types WHERE type_identifier GLOB 'Element/*'))
                AND \(Visibility.everSQL("c", through: history))
            """)
        while try rows.step() {
            if let key = rows.text(0).flatMap({ CanonicalJSON.parse($0) })?.elements, key.count == 2,
                let name = key[0].string, elements.contains(name)
            {
                note(name, key[1])
            }
            visit(rows.text(1).flatMap { CanonicalJSON.parse($0) }?["children"])
        }
        return found
    }
}
