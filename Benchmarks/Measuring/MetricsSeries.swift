internal import Foundation

/// What was measured of workouts and days.
struct MetricsResult {
    /// In the order in which they ran: a command's name, and each of its runs.
    var commands: [(name: Command, runs: [Measurement])] = []
    var floor: [Measurement] = []
    /// How many workouts the later export has, and how many of them the impact touches.
    var workouts = 0
    var touched = 0

    enum Command: String, CaseIterable {
        case start = "workouts, no archive"
        case page = "workouts, a page of 100"
        case all = "workouts, all"
        case one = "workout"
        case two = "workout at two observations"
        case finest = "workout, finest state"
        case replay = "replay of 200 messages"
        case daily = "metrics daily"
        case consolidation = "consolidation"
        case impact = "impact"
        case dailyAgain = "metrics daily, asked again"
        case impactAgain = "impact, asked again"

        /// Whether the answer may come from the cache.
        var isAskedAgain: Bool { self == .dailyAgain || self == .impactAgain }
    }

    /// The median of user and system time in seconds: one thread computes, and other work on the machine leaves it alone.
    func seconds(_ command: Command) -> Double {
        Median.of(commands.first { $0.name == command }?.runs.map(\.cpuSeconds) ?? [])
    }

    /// The same beyond the program's start.
    func beyondStart(_ command: Command) -> Double { max(0, seconds(command) - seconds(.start)) }

    var peakBytes: Int { commands.flatMap(\.runs).map(\.peakBytes).max() ?? 0 }
}

/// All measurements of an athlete's archive.
struct MetricsSeries {
    private let input: AthleteInput
    private let program: Program
    private let rounds: Int
    private let archive: String

    init(_ input: AthleteInput, _ program: Program, rounds: Int) {
        (self.input, self.program, self.rounds) = (input, program, rounds)
        archive = "\(input.folder)/archive.sqlite"
    }

    /// - Throws: `BenchmarkError` where a command fails or finds no workouts.
    func run() throws -> MetricsResult {
        var result = MetricsResult()
        for name in try FileManager.default.contentsOfDirectory(atPath: input.folder) where name.hasPrefix("archive.") {
            try FileManager.default.removeItem(atPath: "\(input.folder)/\(name)")
        }
        for export in input.exports { _ = try program.run(["import", export, "--quiet"], archive: archive) }
        let list = try lines(program.run(["workouts", "--json", "--limit", "100000"], archive: archive).output())
        result.workouts = list.count
        guard let longest = list.max(by: { Self.seconds($0) < Self.seconds($1) })?["identity"] as? String,
            let usual = list[list.count / 2]["identity"] as? String
        else { throw BenchmarkError("the archive has no workouts") }
        let companion = try input.companion(messages: 200)
        for command in MetricsResult.Command.allCases {
            Progress.say(command.rawValue)
            let arguments: [String] =
                switch command {
                case .start, .page: ["workouts"]
                case .all: ["workouts", "--limit", "100000"]
                case .one: ["workout", usual]
                case .two: ["workout", usual, "--from", "first", "--to", "latest"]
                case .finest: ["workout", usual, "--state", "finest"]
                case .replay: ["replay", companion.path, "--script", companion.script, "--workout", longest]
                case .daily: ["metrics", "daily"]
                case .dailyAgain: ["metrics", "daily"]
                case .consolidation: ["consolidation"]
                case .impact: ["impact"]
                case .impactAgain: ["impact"]
                }
            if command.isAskedAgain { _ = try program.run(arguments + ["--json"], archive: archive) }
            let runs = try (0..<rounds).map { _ in
                let words = arguments + ["--json"]
                guard command != .start else {
                    return try program.start(words, archive: input.folder + "/none.sqlite").measurement
                }
                let child = try program.run(words, archive: archive)
                if command == .impact {
                    let answer = try lines(child.output()).first
                    result.touched = (answer?["workouts"] as? [Any])?.count ?? 0
                }
                return child.measurement
            }
            result.commands.append((command, runs))
        }
        result.floor = try (0..<rounds).map { _ in
            try ChildProcess.run(try Program.own(), ["floor-sax", input.exports[1]]).requireSuccess().measurement
        }
        return result
    }

    private static func seconds(_ workout: [String: Any]) -> Double {
        (workout["durationSeconds"] as? NSNumber)?.doubleValue ?? 0
    }

    private func lines(_ data: Data) throws -> [[String: Any]] {
        try data.split(separator: 0x0A).compactMap {
            try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
        }
    }
}
