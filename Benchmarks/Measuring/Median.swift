/// The middle of some numbers.
enum Median {
    /// Mean of the two in the middle where their number is even; 0 of none.
    static func of(_ numbers: [Double]) -> Double {
        guard !numbers.isEmpty else { return 0 }
        let sorted = numbers.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The median wall time.
    static func wall(_ measurements: [Measurement]) -> Double { of(measurements.map(\.wallSeconds)) }
}
