internal import HealthModel

/// How many items of each kind an export has shown so far.
package struct KindCounts {
    package struct Kind: Sendable {
        /// The type's identifier.
        package var type: String
        package var count: Int64
    }

    /// By the type's number in the import; in the order of the export.
    package private(set) var kinds: [Kind] = []

    mutating func add(_ page: ItemPage) {
        for (number, type) in page.newTypes {
            while kinds.count <= Int(number) { kinds.append(Kind(type: "", count: 0)) }
            kinds[Int(number)].type = type
        }
        for item in page.items where kinds.indices.contains(Int(item.type)) { kinds[Int(item.type)].count += 1 }
    }
}
