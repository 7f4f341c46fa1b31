/// The beats of one variability measurement: what is printed as its list, and what its value is computed from.
struct Beats {
    /// Beats a minute, each from the interval before it, as they are printed.
    let rates: [Int]
    /// Hundredths of a second from the first beat to each.
    let times: [Int]

    /// The list of the measurement with the given key.
    init(phone: SimulatedPhone, key: UInt64) {
        var random = SeededGenerator(Hashing.combine(phone.seed, Hashing.salt("beats"), key))
        let mean = random.between(880, 1080)
        let spread = random.between(25, 70)
        var rates: [Int] = []
        var times: [Int] = []
        var milliseconds = 0.0
        var slow = 0.0
        for _ in 0..<random.integer(38...56) {
            // Breathing changes the interval slowly, and every beat by itself a little.
            slow = slow * 0.7 + random.bell() * 0.6
            let interval = min(1400, max(600, mean + spread * (slow + random.bell() * 0.5)))
            milliseconds += times.isEmpty ? 0 : interval
            rates.append(Int((60_000 / interval).rounded()))
            times.append(Int((milliseconds / 10).rounded()))
        }
        self.rates = rates
        self.times = times
    }

    /// Standard deviation of the intervals in milliseconds (SDNN, with n − 1), from the printed rates.
    var deviation: Double {
        let intervals = rates.map { 60_000 / Double($0) }
        let mean = intervals.reduce(0, +) / Double(intervals.count)
        let squares = intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(intervals.count - 1)).squareRoot()
    }
}
