internal import HealthModel
internal import Questions

/// Counts of an export, which no archive has, what its counts do not say: values that are no numbers, and equal items.
struct FindingsCensus {
    /// Items that are compared with one another, at most; beyond that copies are not counted, so that memory stays bounded.
    private static let mostItems = 2_000_000

    private struct Counts {
        let type: String
        let isOfNumbers: Bool
        /// Of each item a hash of identity and version, one of its identity, and its number; NaN for none.
        var items: [(key: UInt64, sample: UInt64, number: Double)] = []
        var notNumbers: Int64 = 0
        var quarantined: Int64 = 0
        var sum = 0.0
        var numbers: Int64 = 0
        /// Those of its numbers.
        var units: Set<String?> = []

        init(_ type: String) { (self.type, isOfNumbers) = (type, TypeFindings.isOfNumbers(type)) }
    }

    private var types: [Counts] = []
    private var units: [Int32: String?] = [:]
    private var itemCount = 0

    mutating func define(_ page: ItemPage) {
        for (number, descriptor) in page.newDescriptors { units[number] = .some(descriptor.unit) }
    }

    /// Begins the next type; types are known by their number from 0.
    mutating func begin(_ type: String) { types.append(Counts(type)) }

    mutating func add(_ item: PreparedItem, of type: Int, times: Int64) {
        if item.valueKind == .text, types[type].isOfNumbers { types[type].notNumbers += times }
        if let number = item.numericValue {
            types[type].sum += number * Double(times)
            types[type].numbers += times
            if types[type].units.count < 2 { types[type].units.insert(units[item.descriptor] ?? nil) }
        }
        itemCount += Int(times)
        guard itemCount <= Self.mostItems else { return }
        let key = item.identity.a ^ (item.version.a << 1 | item.version.a >> 63)
        for _ in 0..<times { types[type].items.append((key, item.identity.a, item.numericValue ?? .nan)) }
    }

    mutating func addQuarantined(of type: Int) { types[type].quarantined += 1 }

    /// The findings by type; types without any are left out.
    func findings() -> [TypeFindings] {
        let knowsCopies = itemCount <= Self.mostItems
        return types.compactMap { counts in
            var found = TypeFindings(type: counts.type)
            (found.notNumbers, found.quarantined) = (counts.notNumbers, counts.quarantined)
            if knowsCopies { Self.countCopies(counts, &found) }
            return found.isEmpty ? nil : found
        }.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) }
    }

    private static func countCopies(_ counts: Counts, _ found: inout TypeFindings) {
        var items = counts.items
        items.sort { $0.key < $1.key }
        var run: Int64 = 1
        for (item, next) in zip(items, items.dropFirst()) {
            run = item.key == next.key ? run + 1 : 1
            guard run > 1 else { continue }
            found.copies += 1
            found.mostCopies = max(found.mostCopies, run)
        }
        guard found.copies > 0 else { return }
        items.sort { $0.sample < $1.sample }
        var copied = (sum: 0.0, count: Int64(0))
        for (item, next) in zip(items, items.dropFirst()) where item.sample == next.sample && !next.number.isNaN {
            copied.sum += next.number
            copied.count += 1
        }
        found.setMeans(counts.units.count == 1 ? [(counts.sum, counts.numbers)] : [], copied: copied)
    }
}
