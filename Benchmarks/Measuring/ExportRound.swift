/// What is exported from the newest observation.
enum ExportedForm: String, CaseIterable, Sendable {
    case xml
    case records

    /// The command, without where to write.
    var arguments: [String] {
        switch self {
        case .xml: ["export", "xml", "--at", "latest", "--json", "--force", "--quiet"]
        case .records: ["export", "records", "--at", "latest", "--json", "--force", "--quiet"]
        }
    }
}

/// One export of the program, and the mean of the bare passes over the observation's XML just before and just after it.
struct ExportRound: Sendable {
    var floor: Measurement
    var program: Measurement

    var wallRatio: Double { program.wallSeconds / floor.wallSeconds }
    var cpuRatio: Double { program.cpuSeconds / floor.cpuSeconds }
}
