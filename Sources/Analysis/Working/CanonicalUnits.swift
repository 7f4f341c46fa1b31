internal import GRDB
internal import HealthModel

/// Values in the canonical unit of their type, with the precision that an export leaves them.
///
/// A type that HealthKit's table does not know takes the unit of the first record that is asked for.
final class CanonicalUnits {
    private let db: Database
    private let converter = UnitConverter()
    private var unitNames: [Int64: String] = [:]
    private var types: [Int64: (quantity: QuantityType, unit: String?)] = [:]

    init(_ db: Database) { self.db = db }

    /// HealthKit's description of a type, and the unit in which its values are compared.
    func type(_ id: Int64) throws -> (quantity: QuantityType, unit: String?) {
        if let known = types[id] { return known }
        let name =
            try String.fetchOne(
                db, sql: "SELECT type_identifier FROM sample_types WHERE id = ?", arguments: [id]) ?? ""
        let quantity = QuantityTypeTable.shared[name]
        types[id] = (quantity, quantity.unit)
        return (quantity, quantity.unit)
    }

    /// A printed value in the type's unit, and half a unit of its sixth significant digit there; nil where the unit cannot
    /// be converted.
    func value(_ printed: Double, unit id: Int64, type: Int64) throws -> (value: Double, tolerance: Double)? {
        guard let unit = try unitName(id), printed.isFinite else { return nil }
        let tolerance = ConversionTolerance.halfUnitOfSixthDigit(of: printed)
        guard let canonical = try self.type(type).unit else {
            types[type]?.unit = unit
            return (printed, tolerance)
        }
        if canonical == unit { return (printed, tolerance) }
        guard let value = converter.convert(printed, from: unit, to: canonical), value.isFinite,
            let from = converter.scale(unit: unit), let to = converter.scale(unit: canonical)
        else { return nil }
        return (value, tolerance * abs(from / to))
    }

    private func unitName(_ id: Int64) throws -> String? {
        if let known = unitNames[id] { return known }
        let name = try String.fetchOne(db, sql: "SELECT unit FROM units WHERE id = ?", arguments: [id])
        unitNames[id] = name
        return name
    }
}
