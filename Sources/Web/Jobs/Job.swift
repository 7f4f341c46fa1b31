package import Basics

/// A command that a page started, and what it has said so far.
package struct Job: Sendable {
    /// What may be started from a page.
    package enum Kind: String, CaseIterable, Sendable {
        case check, analyse, rebuildCache
        /// Of a file that was sent; no form starts it.
        case importUpload = "import"
        /// An answer that takes long; whoever asks for it starts it.
        case answer

        /// In words.
        var title: String {
            switch self {
            case .check: "Check of the archive"
            case .analyse: "Analysis of consolidation"
            case .rebuildCache: "Rebuild of the cache"
            case .importUpload: "Import of an export"
            case .answer: "Computing a page"
            }
        }
    }

    /// Where a job is on its way.
    package enum State: String, Sendable {
        case queued, running, done, failed, cancelled

        /// Whether nothing more happens.
        var isOver: Bool { self != .queued && self != .running }
    }

    package let id: Int
    package let kind: Kind
    /// The command line behind the program's name, without the archive's path.
    package let arguments: [String]
    package var state = State.queued
    /// Unix seconds.
    var startedAt: Int64?
    var endedAt: Int64?
    /// 0 to 1; nil where nobody knows.
    var progress: Double?
    /// How many items of each kind an import has read so far.
    var kinds: [(type: String, count: Int64)] = []
    /// What the command wrote beside its answer, the newest last.
    var messages: [String] = []
    var exitCode: Int32?
    /// The command's answer with `--json`; nil where it printed none.
    var result: JSON?

    /// More messages push the oldest out.
    static let mostMessages = 200

    init(_ id: Int, _ kind: Kind, _ arguments: [String]) {
        (self.id, self.kind, self.arguments) = (id, kind, arguments)
    }

    /// The line `healthprobe.job/1`.
    package var line: JSON { .line("job", members) }

    /// The same as an entry of a list.
    var row: JSON { .row(members) }

    private var members: JSON.Members {
        [
            "id": "\(id)", "kind": kind.rawValue, "arguments": arguments, "state": state.rawValue,
            "startedAt": JSON.instant(startedAt), "endedAt": JSON.instant(endedAt),
            "progress": JSON.optional(progress), "messages": messages, "exitCode": exitCode.map(Int.init),
            "result": result,
        ]
    }

    /// Takes a line of the command's standard error: progress, an error, or a message.
    mutating func take(message line: String) {
        let json = JSON.parse(line)
        if let progress = json?["progress"] {
            if case .double(let part)? = progress["fraction"] { self.progress = part }
            if case .int(let part)? = progress["fraction"] { self.progress = Double(part) }
            if case .array(let counted)? = progress["kinds"] {
                kinds = counted.compactMap { kind in
                    guard let type = kind["type"]?.string, let count = kind["count"]?.int else { return nil }
                    return (type, count)
                }
            }
            if let label = progress["label"]?.string, !label.isEmpty, messages.last != label { add(label) }
        } else if let problem = json?["error"] ?? json?["warning"] {
            add([problem["message"]?.string, problem["hint"]?.string].compactMap(\.self).joined(separator: " "))
        } else if !line.isEmpty {
            add(line)
        }
    }

    private mutating func add(_ message: String) {
        messages.append(message)
        messages.removeFirst(max(0, messages.count - Self.mostMessages))
    }
}
