/// One bar of docs/performance.md, with what was measured against it.
struct Bar {
    let work: String
    let bar: String
    let measured: String
    let isMet: Bool

    init(_ work: String, _ bar: String, _ measured: String, isMet: Bool) {
        self.work = work
        self.bar = bar
        self.measured = measured
        self.isMet = isMet
    }

    /// A multiple of something else that was measured in the same run.
    init(_ work: String, most limit: Double, _ unit: String, measured: Double) {
        self.init(work, "≤ \(Text.ratio(limit)) \(unit)", Text.ratio(measured), isMet: measured <= limit)
    }

    /// Seconds.
    init(_ work: String, within limit: Double, _ measured: Double) {
        self.init(work, "≤ \(Text.seconds(limit))", Text.seconds(measured), isMet: measured <= limit)
    }
}
