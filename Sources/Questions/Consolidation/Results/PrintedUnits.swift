internal import GRDB
internal import HealthModel
internal import Store

/// The unit in which an export prints the values of each type: one for a type, whatever units its records have.
package struct PrintedUnits: Sendable {
    private var names: [String: String] = [:]

    /// Reads the unit that most visible records of each type have at an observation.
    init(_ db: Database, at observation: Observation) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT t.type_identifier, u.unit FROM type_sums s
                JOIN sample_types t ON t.id = s.sample_type_id JOIN units u ON u.id = s.unit_id
                WHERE s.import_id = ? GROUP BY t.id, u.id ORDER BY sum(s.visible_count), u.unit
                """,
            arguments: [observation.id])
        for row in rows { names[try row.get("type_identifier")] = try row.get("unit") }
    }

    /// The unit of a type, for values in the canonical unit.
    package func unit(of type: String, canonical: String?) -> PrintedUnit {
        let converter = UnitConverter()
        guard let canonical, let name = names[type], let zero = converter.convert(0, from: canonical, to: name),
            let one = converter.convert(1, from: canonical, to: name)
        else { return PrintedUnit(name: canonical, scale: canonical == "%" ? 100 : 1, shift: 0) }
        // An export has 0.97 for 97 %.
        return PrintedUnit(name: name, scale: (one - zero) * (name == "%" ? 100 : 1), shift: zero)
    }
}

/// A unit for people, and how values in the canonical unit are converted to it.
package struct PrintedUnit: Sendable {
    package let name: String?
    fileprivate let scale: Double
    fileprivate let shift: Double

    /// A value in the canonical unit, in this unit.
    package func value(_ canonical: Double) -> Double { canonical * scale + shift }
}
