internal import Foundation

/// HealthKit's table of quantity types: a data file, because Apple adds a few of them every year.
///
/// Source: the comments of `HKTypeIdentifiers.h` in the iOS 18 SDK, which name each type's canonical unit and
/// aggregation style. A type that came later is unknown here until it is added.
package struct QuantityTypeTable: Sendable {
    let types: [String: QuantityType]

    /// The table that is built into the program, read at first use.
    package static let shared: QuantityTypeTable = {
        let data = Data(PackageResources.quantity_types_json)
        // A test asserts that the built-in file decodes; without it every type would be an assumed one.
        return QuantityTypeTable((try? JSONDecoder().decode([QuantityType].self, from: data)) ?? [])
    }()

    /// A table of these types; of two with one identifier the first counts.
    init(_ types: [QuantityType]) {
        self.types = Dictionary(types.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The type of that full identifier; one that is not in the table is discrete, and labelled as assumed.
    package subscript(identifier: String) -> QuantityType {
        types[identifier] ?? QuantityType(identifier: identifier, style: nil, unit: nil, dimension: nil)
    }
}
