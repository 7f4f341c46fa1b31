/// One bar of docs/performance.md, with what was measured against it.
struct Bar {
    /// What was measured, and in relation to what.
    let work: String
    /// The most that it may be.
    let limit: String
    let measured: String
    let isMet: Bool

    init(_ work: String, _ limit: String, _ measured: String, isMet: Bool) {
        self.work = work
        self.limit = limit
        self.measured = measured
        self.isMet = isMet
    }

    /// A multiple of something else that was measured in the same run.
    init(_ work: String, most limit: Double, _ unit: String, measured: Double) {
        self.init("\(work) / \(unit)", Text.ratio(limit), Text.ratio(measured), isMet: measured <= limit)
    }

    /// Seconds.
    init(_ work: String, within limit: Double, _ measured: Double) {
        self.init(work, Text.seconds(limit), Text.seconds(measured), isMet: measured <= limit)
    }

    /// The measured value with the bar; in bold what misses it.
    var cell: String {
        let text = "\(measured) (\(limit))"
        return isMet ? text : "**\(text)**"
    }
}
