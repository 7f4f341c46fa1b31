internal import HealthModel
internal import Store

/// Values in the canonical unit of their type, with the precision that an export leaves them.
///
/// A type that HealthKit's table does not know takes the unit of the first record that is asked for.
final class CanonicalUnits {
    private let names: ArchiveNames
    private let converter = UnitConverter()
    private var types: [Int64: (quantity: QuantityType, unit: String?)] = [:]

    init(_ names: ArchiveNames) { self.names = names }

    /// HealthKit's description of a type, and the unit in which its values are compared.
    func type(_ id: Int64) throws -> (quantity: QuantityType, unit: String?) {
        if let known = types[id] { return known }
        let quantity = QuantityTypeTable.shared[try names.type(id)]
        types[id] = (quantity, quantity.unit)
        return (quantity, quantity.unit)
    }

    /// A printed value in the type's unit, and half a unit of its sixth significant digit there; nil where the unit cannot
    /// be converted.
    func value(_ printed: Double, unit: String, type: Int64) throws -> (value: Double, tolerance: Double)? {
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
}
