internal import Foundation

/// The system call tracer: it shows which calls a program makes, and makes chosen ones fail.
package enum Strace {
    /// The program; nil where it is not installed.
    package static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        .split(separator: ":").map { "\($0)/strace" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether it can trace here, tried once: not every container allows `ptrace`.
    package static let isPossible: Bool = {
        guard let path else { return false }
        let options = ["-f", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=openat", "true"]
        let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        let child = try? RunningChild(path, options, environment: environment, folder: NSTemporaryDirectory())
        return (try? child?.wait())?.status == 0
    }()

    /// One system call of a recorded run.
    package struct Call: Hashable, Sendable {
        package let name: String
        /// Counted from 1 among the calls of this name of one thread, as `when=` counts.
        package let number: Int
    }

    /// The calls in a trace made with `-f -y` that concern files below a folder, each once.
    package static func calls(in trace: String, below folder: String) -> [Call] {
        var counts: [Substring: [Substring: Int]] = [:]
        var seen: Set<Call> = []
        var result: [Call] = []
        for line in trace.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            guard words.count == 2, let end = words[1].firstIndex(of: "("), !words[1].hasPrefix("<"),
                !words[1].hasPrefix("+"), !words[1].hasPrefix("-")
            else { continue }
            let name = words[1][..<end].drop { $0 == " " }
            let number = (counts[words[0]]?[name] ?? 0) + 1
            counts[words[0], default: [:]][name] = number
            let call = Call(name: String(name), number: number)
            if words[1].contains(folder), seen.insert(call).inserted { result.append(call) }
        }
        return result
    }
}
