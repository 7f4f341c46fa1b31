import TestSupport

/// A history of 2 to 5 exports of one imagined phone.
struct ModelHistory {
    let seed: UInt64
    var exports: [ModelExport]

    /// The random history of a seed.
    init(seed: UInt64) {
        self.seed = seed
        var generator = HistoryGenerator(seed: seed)
        exports = generator.exports()
    }

    /// The random history of a seed, in which items are missing from exports in the middle: they come back as they are by then.
    init(withGaps seed: UInt64) {
        self.init(seed: seed)
        var random = SeededGenerator(seed: ~seed)
        for index in exports.indices.dropFirst().dropLast() {
            exports[index].items.removeAll { _ in random.chance(40) }
            exports[index].cutAfter = exports[index].cutAfter.map { min($0, exports[index].items.count) }
        }
    }

    /// An export that is imported by mistake after so many others and withdrawn in the end; nil for two of three seeds. It
    /// is made of one of the others, so that its keys collide with theirs, and lies anywhere among them.
    var mistake: (export: ModelExport, after: Int)? {
        guard seed % 3 == 0, !exports.isEmpty else { return nil }
        var random = SeededGenerator(seed: seed &* 31)
        var export = exports[Int.random(in: exports.indices, using: &random)]
        export.items = export.items.filter { _ in random.chance(70) } + ModelHistory(seed: ~seed).exports[0].items
        export.cutAfter = random.chance(20) ? export.items.count / 2 : nil
        export.date += 86_400 * Int.random(in: -40...40, using: &random) + 3_600
        return (export, Int.random(in: 0...exports.count, using: &random))
    }

    /// The order in which the exports are imported: as they were made for even seeds, else any.
    var importOrder: [Int] {
        guard seed % 2 == 1 else { return Array(exports.indices) }
        var random = SeededGenerator(seed: seed)
        return exports.indices.shuffled(using: &random)
    }

    /// A history made by hand or by shrinking.
    init(seed: UInt64, exports: [ModelExport]) {
        self.seed = seed
        self.exports = exports
    }
}

/// Makes the exports of a history, each from the one before by a few changes of the kinds that phones make.
struct HistoryGenerator {
    var generator: ItemGenerator
    /// All items that any export has had: some of them come back.
    var pool: [Element] = []

    init(seed: UInt64) {
        // Neighbouring seeds of SplitMix64 are neighbouring states: mix once.
        var mixer = SeededGenerator(seed: seed)
        generator = ItemGenerator(random: SeededGenerator(seed: mixer.next()))
    }

    /// The exports, dates ascending.
    mutating func exports() -> [ModelExport] {
        var items: [Element] = []
        var me = Domain.me
        var exports: [ModelExport] = []
        let size = generator.random.pick([2, 4, 6, 9, 12, 20, 40], else: 6)
        while items.count < size { items += generator.items() }
        let count = Int.random(in: 2...5, using: &generator.random)
        for index in 0..<count {
            if index > 0 {
                for _ in 0..<generator.random.pick([0, 1, 1, 2, 3], else: 1) { items = changed(items) }
                if generator.random.chance(10) {
                    me["HKCharacteristicTypeIdentifierBiologicalSex"] = generator.random.pick([
                        "HKBiologicalSexFemale", "HKBiologicalSexMale",
                    ])
                }
            }
            items = multiplied(items)
            pool += items
            let isPartial = generator.random.chance(15)
            exports.append(
                ModelExport(
                    date: Domain.epoch + 86_400 * 30 * (index + 12),
                    offsetSeconds: generator.random.pick(Domain.offsets, else: 0), me: me, items: items,
                    cutAfter: isPartial ? Int.random(in: 0...items.count, using: &generator.random) : nil,
                    printingSeed: generator.random.next()))
        }
        return exports
    }

    /// Exact duplicates, now and then.
    private mutating func multiplied(_ items: [Element]) -> [Element] {
        guard items.count < 60 else { return items }
        return items + items.filter { _ in generator.random.chance(8) }
    }

    /// One change of the whole export or of some of its items.
    private mutating func changed(_ items: [Element]) -> [Element] {
        switch Int.random(in: 0..<16, using: &generator.random) {
        case 0: return items.filter { _ in !generator.random.chance(30) }
        case 1: return items + generator.items() + generator.items()
        case 2: return items + pool.filter { _ in generator.random.chance(20) }.prefix(4)
        case 3: return items.shuffled(using: &generator.random)
        case 4, 5: return renamed(items)
        case 6, 7, 8: return switchedUnits(items)
        case 9: return restored(items)
        case 10, 11: return respelledSleep(items)
        case 12: return items.map { generator.random.chance(40) ? retouched($0) : $0 }
        case 13: return items.map { generator.random.chance(50) ? replaced($0) : $0 }
        default: return items.map { generator.random.chance(60) ? rescheduled($0) : $0 }
        }
    }
}
