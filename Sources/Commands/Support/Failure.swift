internal import ArgumentParser
internal import Basics
internal import Foundation
internal import HealthModel
internal import Presentation
internal import Store

/// The end of a failed command.
enum Failure {
    /// Ends the process for an error that a command threw: help and exit codes too are errors to the parser.
    static func exit(with error: any Error) -> Never {
        if error is Output.Closed { Foundation.exit(0) }
        if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
        let isOurs = error is HealthProbeError
        let parsed = HealthProbe.exitCode(for: error)
        if !isOurs, parsed == .success {
            // Help and the like; the parser itself does not notice that nothing could be written.
            do {
                try Output.with { try $0.write(HealthProbe.fullMessage(for: error) + "\n") }
            } catch {
                exit(with: error)
            }
            Foundation.exit(0)
        }
        let asJSON = CommandLine.arguments.prefix { $0 != "--" }.contains("--json")
        if !isOurs, parsed == .validationFailure {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if asJSON {
                let hint = CommandName.help(arguments)
                let message = OptionName.corrected(HealthProbe.message(for: error), of: arguments)
                report(HealthProbeError(.usage, message, hint: hint), asJSON: true)
            } else {
                reportUsage(OptionName.corrected(HealthProbe.fullMessage(for: error), of: arguments))
            }
            Foundation.exit(64)
        }
        let error = HealthProbeError(error)
        report(error, asJSON: asJSON)
        Foundation.exit(error.code.exitCode)
    }

    /// Prints an error on standard error.
    static func report(_ error: HealthProbeError, asJSON: Bool) {
        guard !asJSON else {
            return StandardError.write(
                code: error.code.rawValue, error.message, error.hint, cause: error.cause, as: "error")
        }
        for (name, text) in [("error", error.message), ("cause", error.cause), ("hint", error.hint)] {
            if let text { StandardError.write("\(name): \(TerminalText.safe(text))\n") }
        }
    }

    /// The parser's message with the usage of the command in question.
    private static func reportUsage(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.safe(String($0)) }
        let joined = lines.joined(separator: "\n")
        let prefix = "Error: "
        StandardError.write((joined.hasPrefix(prefix) ? "error: " + joined.dropFirst(prefix.count) : joined) + "\n")
    }
}

/// The exit codes that are not errors; docs/cli.md and the manual list all.
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
    static func write(code: String, _ message: String, _ hint: String, cause: String? = nil, as kind: String) {
        var members: [(String, JSON)] = [
            ("code", .string(code)), ("message", .string(message)), ("hint", .string(hint)),
        ]
        if let cause { members.append(("cause", .string(cause))) }
        write(JSON.object([(kind, .object(members))]).line + "\n")
    }
}
