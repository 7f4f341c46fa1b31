internal import Archive
internal import ArgumentParser
internal import ExportReading
internal import Foundation
internal import Importing
internal import Presentation
internal import TextFormats

/// Why a command failed: one code, one exit code, what happened and what to do about it.
struct Failure {
    var code: String
    var message: String
    var hint: String
    var exitCode: Int32

    /// The failure that an error of the libraries stands for.
    init(_ error: any Error) {
        switch ArchiveConnection.translated(error) {
        case let error as ArchiveError:
            self.init(
                code: error.code.rawValue, message: error.message, hint: error.hint, exitCode: error.code.exitCode)
        case let error as ImportBatch.Refusal:
            self.init(error.reason)
            message = "\(error.path): \(message)"
            if !error.remaining.isEmpty {
                hint += " Not imported either: \(error.remaining.joined(separator: ", "))."
            }
        case let error as ExportReadingError:
            self.init(
                code: error.code.rawValue, message: error.message, hint: error.hint,
                exitCode: Self.exitCode(error.code))
        case let error as DamagedSource:
            self.init(
                code: "inputOutput", message: "The export cannot be read (\(error.reason)).",
                hint: "Check the disk, or copy the file again.", exitCode: 74)
        default:
            self.init(
                code: "inputOutput", message: error.localizedDescription,
                hint: "Check the paths and the disk, and try again.",
                exitCode: 74)
        }
    }

    private init(code: String, message: String, hint: String, exitCode: Int32) {
        self.code = code
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
    }

    private static func exitCode(_ code: ExportReadingError.Code) -> Int32 {
        switch code {
        case .noSuchInput: 66
        case .notAHealthExport, .severalHealthExports, .encrypted, .tooManyTypes: 65
        case .inputOutput: 74
        }
    }

    /// Ends the process for an error that a command threw: help and exit codes too are errors to the parser.
    static func exit(with error: any Error) -> Never {
        if error is Output.Closed { Foundation.exit(0) }
        if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
        let isOurs = error is ArchiveError || error is ExportReadingError || error is ImportBatch.Refusal
        let parsed = HealthProbe.exitCode(for: error)
        if !isOurs, parsed == .success { HealthProbe.exit(withError: error) }
        let asJSON = CommandLine.arguments.prefix { $0 != "--" }.contains("--json")
        if !isOurs, parsed == .validationFailure {
            if asJSON {
                let message = HealthProbe.message(for: error)
                Failure(code: "usage", message: message, hint: "See healthprobe --help.", exitCode: 64).report(
                    asJSON: true)
            } else {
                reportUsage(HealthProbe.fullMessage(for: error))
            }
            Foundation.exit(64)
        }
        let failure = Failure(error)
        failure.report(asJSON: asJSON)
        Foundation.exit(failure.exitCode)
    }

    /// Prints the failure on standard error.
    func report(asJSON: Bool) {
        guard !asJSON else { return StandardError.write(code: code, message, hint, as: "error") }
        StandardError.write("error: \(TerminalText.safe(message))\nhint: \(TerminalText.safe(hint))\n")
    }

    /// The parser's message with the usage of the command in question.
    private static func reportUsage(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.safe(String($0)) }
        let joined = lines.joined(separator: "\n")
        let prefix = "Error: "
        StandardError.write((joined.hasPrefix(prefix) ? "error: " + joined.dropFirst(prefix.count) : joined) + "\n")
    }
}

/// The exit codes that are no error; docs/cli.md and the manual list all.
enum ExitCodes {
    /// `diff --exit-code` found differences.
    static let differences: Int32 = 1
    /// Some observation is partial.
    static let partial: Int32 = 3
    /// An invariant of the archive does not hold.
    static let integrity: Int32 = 4
}

extension StandardError {
    /// Writes an error or a warning as a line of JSON.
    ///
    /// - Parameter kind: `error` or `warning`.
    static func write(code: String, _ message: String, _ hint: String, as kind: String) {
        let members: JSON = ["code": .string(code), "message": .string(message), "hint": .string(hint)]
        write(JSON.object([(kind, members)]).line + "\n")
    }
}
