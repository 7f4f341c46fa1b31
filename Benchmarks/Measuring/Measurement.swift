/// What the kernel says of one finished child process.
struct Measurement: Sendable {
    var wallSeconds: Double
    /// User and system time together.
    var cpuSeconds: Double
    /// Resident memory at its highest.
    var peakBytes: Int

    /// The mean of two runs of one child, with the higher peak.
    static func mean(_ first: Measurement, _ second: Measurement) -> Measurement {
        Measurement(
            wallSeconds: (first.wallSeconds + second.wallSeconds) / 2,
            cpuSeconds: (first.cpuSeconds + second.cpuSeconds) / 2, peakBytes: max(first.peakBytes, second.peakBytes))
    }
}
