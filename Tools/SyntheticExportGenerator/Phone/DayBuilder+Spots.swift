extension DayBuilder {
    /// Points or short intervals with a value between two bounds.
    mutating func addSpots(
        _ expected: Double, low: Double, high: Double, seconds: Int, source: Source, window: (start: Int, end: Int)
    ) {
        let count = random.count(expected)
        for position in 0..<count {
            let width = window.end - window.start
            let at = window.start + (position * width + random.integer(0...width - 1)) / count
            let value = spotValue(random.between(low, high))
            add(at, at + (seconds == 0 ? 0 : random.integer(seconds / 2...seconds)), value, worn(source))
        }
    }

    private func spotValue(_ value: Double) -> Double {
        switch type.unit {
        case "%": type.metadata == .oxygen ? (value * 100).rounded() / 100 : (value * 1000).rounded() / 1000
        case "mg/dL", "mL", "cm": value.rounded()
        case "count/min": (value * 2).rounded() / 2
        default: value
        }
    }

    /// Whole numbers over short intervals.
    mutating func addCounted(_ expected: Double, low: Int, high: Int, seconds: Int, source: Source) {
        let count = random.count(expected)
        for position in 0..<count {
            let at = awake.start + (position * 57_600 + random.integer(0...30_000)) / count
            add(at, at + seconds, Double(random.integer(low...high)), worn(source))
        }
    }

    /// At most one value a day, at a point or for the whole day.
    mutating func addDaily(_ probability: Double, low: Double, high: Double, source: Source, wholeDay: Bool) {
        guard random.chance(probability) else { return }
        let at = awake.start + random.integer(0...3000)
        let drift = Hashing.unit(Hashing.combine(phone.seed, UInt64(type.number), UInt64(day / 21)))
        var value = low + (high - low) * (0.7 * drift + 0.3 * random.unit())
        value = wholeDay ? value.rounded() : (value * 100).rounded() / 100
        add(wholeDay ? midnight + 60 : at, wholeDay ? midnight + 79_000 : at, value, worn(source))
    }

    /// One for the whole cycle of days, on a fixed day of it.
    mutating func addEvery(_ days: Int) {
        guard day % days == days / 2 % 29 else { return }
        let at = awake.start + random.integer(3600...30_000)
        let value: Double
        switch type.unit {
        case "cm": value = 178
        case "W": value = (236 + 10 * random.unit()).rounded()
        default: value = 480 + random.between(0, 60).rounded()
        }
        add(at, at + (type.unit == "m" ? 360 : 0), value, type.unit == "W" ? phone.watch(day) : .health)
    }
}
