/// Makes a failing history small: drops exports, items and details as long as it still fails.
struct Shrinker {
    /// How many more histories may be tried.
    private var budget: Int
    private let fails: (ModelHistory) -> Bool

    /// - Parameter budget: how many histories to try at most; each one runs all its imports.
    static func shrink(_ history: ModelHistory, budget: Int, fails: @escaping (ModelHistory) -> Bool) -> ModelHistory {
        var shrinker = Shrinker(budget: budget, fails: fails)
        var best = history
        while true {
            let smaller = shrinker.pass(best)
            if Self.size(smaller) == Self.size(best) || shrinker.budget <= 0 { return smaller }
            best = smaller
        }
    }

    /// One round of everything that can be left out.
    private mutating func pass(_ history: ModelHistory) -> ModelHistory {
        var best = history
        for index in best.exports.indices.reversed() where best.exports.count > 1 {
            attempt(&best) { $0.exports.remove(at: index) }
        }
        for index in best.exports.indices {
            var length = best.exports[index].items.count
            while length > 0 {
                var start = best.exports[index].items.count - length
                while start >= 0 {
                    attempt(&best) { Self.remove(start..<start + length, from: &$0.exports[index]) }
                    start = min(start, best.exports[index].items.count) - length
                }
                length /= 2
            }
        }
        for item in Array(Set(best.exports.flatMap(\.items))).sorted(by: { "\($0)" < "\($1)" }) {
            attempt(&best) { Self.remove(item, from: &$0) }
            for child in item.children {
                attempt(&best) { Self.replace(item, in: &$0) { element in element.children.removeAll { $0 == child } } }
            }
            for name in ["device", "creationDate", "sourceVersion", "duration"] where item.attributes[name] != nil {
                attempt(&best) { Self.replace(item, in: &$0) { $0.attributes[name] = nil } }
            }
        }
        for index in best.exports.indices {
            if best.exports[index].isPartial { attempt(&best) { $0.exports[index].cutAfter = nil } }
            if best.exports[index].offsetSeconds != 0 { attempt(&best) { $0.exports[index].offsetSeconds = 0 } }
        }
        return best
    }

    /// Keeps a change when the history is smaller by it and still fails.
    private mutating func attempt(_ history: inout ModelHistory, _ change: (inout ModelHistory) -> Void) {
        guard budget > 0 else { return }
        var candidate = history
        change(&candidate)
        guard Self.size(candidate) < Self.size(history) else { return }
        budget -= 1
        if fails(candidate) { history = candidate }
    }

    /// What shrinking makes smaller.
    private static func size(_ history: ModelHistory) -> Int {
        history.exports.reduce(0) { sum, export in
            sum + 20 + (export.isPartial ? 1 : 0) + (export.offsetSeconds == 0 ? 0 : 1)
                + export.items.reduce(0) { $0 + size($1) }
        }
    }

    private static func size(_ element: Element) -> Int {
        1 + element.attributes.count + element.children.reduce(0) { $0 + size($1) }
    }

    private static func remove(_ range: Range<Int>, from export: inout ModelExport) {
        guard range.upperBound <= export.items.count else { return }
        export.items.removeSubrange(range)
        export.cutAfter = export.cutAfter.map { cut in cut - range.filter { $0 < cut }.count }
    }

    private static func remove(_ item: Element, from history: inout ModelHistory) {
        for index in history.exports.indices {
            while let position = history.exports[index].items.firstIndex(of: item) {
                remove(position..<position + 1, from: &history.exports[index])
            }
        }
    }

    private static func replace(_ item: Element, in history: inout ModelHistory, by change: (inout Element) -> Void) {
        for index in history.exports.indices {
            history.exports[index].items = history.exports[index].items.map { element in
                guard element == item else { return element }
                var copy = element
                change(&copy)
                return copy
            }
        }
    }
}
