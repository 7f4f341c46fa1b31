/// One import of the program, and the mean of the bare passes over the same file just before and just after it.
struct ImportRound: Sendable {
    var floor: Measurement
    var program: Measurement
    /// The archive afterwards, with its write-ahead log.
    var archiveBytes: Int

    var wallRatio: Double { program.wallSeconds / floor.wallSeconds }
    var cpuRatio: Double { program.cpuSeconds / floor.cpuSeconds }
}
