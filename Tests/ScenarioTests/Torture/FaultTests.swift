import Foundation
import Testing
import TestSupport

/// System calls that fail, once or from then on, and kills at system calls: nothing is lost, the exit code is a documented
/// one, and the same command again ends as if nothing had happened.
///
/// `HEALTHPROBE_FAULTS` is how many points of each system call and fault are tried (`all`: every one) and writes the table
/// of `docs/reliability.md`; without it a few points of all are. `HEALTHPROBE_FAULT_OPERATION` names the only operation.
@Suite(
    "Faults", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"),
    .enabled(if: Strace.isPossible, "strace is not installed, or may not trace here"))
struct FaultTests {
    private static let limit: Int? = ProcessInfo.processInfo.environment["HEALTHPROBE_FAULTS"].map {
        $0 == "all" ? .max : Int($0) ?? 10
    }

    /// What became of the points of one fault.
    private struct Tally {
        var tried = 0
        var fired = 0
        var lost = 0
        var exits: [Int32: Int] = [:]
    }

    private static let operations = FaultOperation.allCases.filter {
        $0.rawValue == ProcessInfo.processInfo.environment["HEALTHPROBE_FAULT_OPERATION"] ?? $0.rawValue
    }

    @Test(arguments: operations)
    func nothingIsLost(_ operation: FaultOperation) throws {
        let trial = try FaultTrial(operation)
        #expect(trial.points.count > 100)
        let points =
            Self.limit.map { FaultPoint.spread(trial.points, limit: $0) }
            ?? FaultPoint.sample(trial.points, count: 4, seed: UInt64(operation.rawValue.utf8.count))
        var tallies: [Fault: Tally] = [:]
        for point in points {
            var tally = tallies[point.fault] ?? Tally()
            tally.tried += 1
            do {
                let outcome = try trial.attempt(point)
                if outcome.fired {
                    tally.fired += 1
                    tally.exits[outcome.status, default: 0] += 1
                }
            } catch {
                tally.lost += 1
                Issue.record("\(operation.rawValue), \(point): \(error)")
            }
            tallies[point.fault] = tally
        }
        let fired = tallies.values.reduce(0) { $0 + $1.fired }
        #expect(fired * 2 >= points.count, "only \(fired) of \(points.count) faults came about")
        guard Self.limit != nil else { return }
        for (fault, tally) in tallies {
            let exits = tally.exits.sorted { $0.key < $1.key }.map {
                $0.key == 128 + SIGKILL ? "killed: \($0.value)" : "\($0.key): \($0.value)"
            }
            try ReliabilityPage.record(
                [
                    operation.rawValue, fault.rawValue, "\(tally.tried)", "\(tally.fired)", "\(tally.lost)",
                    exits.joined(separator: ", "),
                ], key: 2)
        }
    }
}
