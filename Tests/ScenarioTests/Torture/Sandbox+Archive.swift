import Foundation
import TestSupport

extension Sandbox {
    /// A copy of the folder of the archive and of the keys, which no process has open.
    func copyOfArchive() throws -> String {
        let copy = path("copy-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for name in ["archive", "data"] where FileManager.default.fileExists(atPath: path(name)) {
            try FileManager.default.copyItem(atPath: path(name), toPath: "\(copy)/\(name)")
        }
        return copy
    }

    /// Interrupts a command on a copy of the archive after so many seconds; earlier where it was done before the signal
    /// came.
    func interrupt(_ command: [String], after seconds: Double, on copy: String) throws -> Answer {
        var delay = seconds
        var answer: Answer
        repeat {
            try restoreArchive(from: copy)
            let child = try start(command)
            usleep(UInt32(delay * 1e6))
            child.signal(SIGINT)
            answer = try child.wait()
            delay *= 0.7
        } while answer.status == 0 && delay > 0.001
        return answer
    }

    /// Puts a copy made by ``copyOfArchive()`` in place of this sandbox's archive.
    ///
    /// What was remembered of the archive goes with it: an older copy put back would be reported.
    func restoreArchive(from copy: String) throws {
        try? FileManager.default.removeItem(atPath: path(".local/state"))
        for name in ["archive", "data"] {
            try? FileManager.default.removeItem(atPath: path(name))
            guard FileManager.default.fileExists(atPath: "\(copy)/\(name)") else { continue }
            try FileManager.default.copyItem(atPath: "\(copy)/\(name)", toPath: path(name))
        }
        try FileManager.default.createDirectory(atPath: path("archive"), withIntermediateDirectories: true)
    }
}

/// What a piece of work gives and how many seconds it takes.
func timed<Result>(_ work: () throws -> Result) rethrows -> (Result, seconds: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try work()
    let time = start.duration(to: clock.now).components
    return (result, Double(time.seconds) + Double(time.attoseconds) / 1e18)
}
