/// What the kernel says of one finished child process.
struct Measurement: Sendable {
    var wallSeconds: Double
    /// User and system time together.
    var cpuSeconds: Double
    /// Resident memory at its highest.
    var peakBytes: Int
}
