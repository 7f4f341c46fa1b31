internal import Clibxml2
internal import Foundation
internal import GRDBSQLite

/// Where the benchmark ran: without that no time means anything.
struct Machine {
    let lines: [String]

    /// This machine and the libraries in use.
    static func current(program: Program) throws -> Machine {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let memory = Double(ProcessInfo.processInfo.physicalMemory) / 1e9
        let model = value(of: "model name", in: "/proc/cpuinfo", separator: ":")
        let system = value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=")
        let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
        return Machine(lines: [
            "Machine: \(cores) cores (\(model ?? "unknown")), \(String(format: "%.1f", memory)) GB of memory",
            "System: \(system ?? ProcessInfo.processInfo.operatingSystemVersionString), "
                + "kernel \(kernel.trimmingCharacters(in: .whitespacesAndNewlines))",
            "Libraries: libxml2 \(LIBXML_DOTTED_VERSION), SQLite \(String(cString: sqlite3_libversion()))",
            "Program: \(try program.version())",
            "Load average of the machine after the last child process: \(load())",
        ])
    }

    /// Over one, five and fifteen minutes: with other work on the machine, ratios say less.
    private static func load() -> String {
        let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
        return text.split(separator: " ").prefix(3).joined(separator: ", ")
    }

    private static func value(of name: String, in path: String, separator: Character) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        for line in text.split(separator: "\n") {
            let halves = line.split(separator: separator, maxSplits: 1)
            guard halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces) == name else { continue }
            return halves[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        }
        return nil
    }
}
