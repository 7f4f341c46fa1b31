internal import ArgumentParser
internal import Evidence
internal import Foundation
internal import History
internal import Presentation
internal import Reporting
internal import Store

/// The head of the archive's chain of seals, as a checkpoint that can be written down or signed.
struct SealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Prints the archive's newest seal as a checkpoint of three lines.",
        discussion: """
            The three lines are the archive, the number of its seals, and the newest seal in base64. Keep them where \
            nobody who can write to the archive can change them: --verify then shows whether the archive still \
            contains all that it contained at that time.

            The newest seal covers the run log up to the last import; --now adds one that covers all of it.
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        help: ArgumentHelp(
            "Check whether the archive contains a checkpoint; - reads standard input.", valueName: "file"),
        completion: .file())
    var verify: String?

    @Flag(help: "Print all seals with their statements, as JSON lines.")
    var all = false

    @Flag(help: "Accept this archive although a newer copy was used here before.")
    var accept = false

    @Flag(help: "Add a seal that covers the run log to its end.")
    var now = false

    func validate() throws {
        if [verify != nil, all, accept, now].filter({ $0 }).count > 1 {
            throw ValidationError("Choose one of --verify, --all, --accept and --now.")
        }
    }

    func run() throws {
        if accept { try write { try $0.acceptHead() } }
        if now { try write { try $0.sealLog() } }
        // Before signals are watched: afterwards they would not end the wait for standard input.
        let given = try verify.map { try Checkpoint(parsing: Self.text($0)) }
        let reader = try common.openReader()
        defer { reader.close() }
        if all {
            try Output.with { output in
                try reader.read { db in try Seals.forEach(db) { try output.write($0.line + "\n") } }
            }
            return
        }
        let checkpoint = try reader.read { try Checkpoint.present($0) }
        if let given {
            try compare(given, reader, checkpoint)
        } else {
            try print(checkpoint, reader)
        }
    }

    private func print(_ checkpoint: Checkpoint, _ reader: ArchiveReader) throws {
        let answer = try reader.headAnswer(environment: common.environment)
        reader.rememberHead(environment: common.environment)
        let lines = checkpoint.text.split(separator: "\n").map { Document.Block.paragraph(String($0)) }
        try common.print(.of(checkpoint.line(answer), Document(lines)))
        // The warning was printed when the archive was opened.
        if case .stepBack = answer { throw ExitCode(ExitCodes.integrity) }
    }

    private func compare(_ given: Checkpoint, _ reader: ArchiveReader, _ present: Checkpoint) throws {
        let problem = try reader.read { try given.problem($0) }
        let later = present.sequence - given.sequence
        let seals = later > 0 ? " with \(Counts.of(later, "later seal"))" : ""
        let text =
            problem.map { "Not contained: \($0)." } ?? "Contained: the archive continues this checkpoint\(seals)."
        try common.print(given.verdictLine(problem: problem), text)
        if problem != nil { throw ExitCode(ExitCodes.integrity) }
    }

    private func write(_ body: (ArchiveWriter) throws -> Void) throws {
        let writer = try common.openWriter()
        defer { writer.close() }
        try body(writer)
    }

    private static func text(_ path: String) throws -> String {
        if path != "-" { try InputFile.requireReadable(path, hint: "Name the file that holds the three lines.") }
        let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        return String(decoding: handle?.readData(ofLength: 4096) ?? Data(), as: UTF8.self)
    }
}
