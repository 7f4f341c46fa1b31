import Foundation
import Reporting
import Testing
import TestSupport

/// What follows from the definitions of answers is checked in, so that people can read it. `HEALTHPROBE_WRITE=1` writes
/// it again, and fails: what was written is to be looked at.
@Suite("Files that follow from the definitions of answers")
struct GeneratedFileTests {
    private static let docs = TestSupport.repository.appendingPathComponent("docs")
    private static let writes = ProcessInfo.processInfo.environment["HEALTHPROBE_WRITE"] == "1"

    private func compare(_ text: String, with url: URL) throws {
        let stored = try? String(contentsOf: url, encoding: .utf8)
        if stored != text, Self.writes { try text.write(to: url, atomically: true, encoding: .utf8) }
        #expect(
            stored == text,
            "\(url.lastPathComponent) is not what the definitions say; write it with HEALTHPROBE_WRITE=1")
    }

    @Test(arguments: AnswerSchemas.files.map(\.name))
    func schemaIsThatOfTheColumns(name: String) throws {
        let file = try #require(AnswerSchemas.files.first { $0.name == name })
        try compare(file.text, with: Self.docs.appendingPathComponent("schemas/\(name).json"))
    }

    @Test func referenceIsThatOfTheDefinitions() throws {
        let url = Self.docs.appendingPathComponent("cli.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let begin = try #require(page.range(of: AnswerReference.begin))
        let end = try #require(page.range(of: AnswerReference.end))
        try compare(
            page[..<begin.upperBound] + "\n" + AnswerReference.text + page[end.lowerBound...], with: url)
    }
}

/// The wrappers of ArgumentParser name options by hand; these are the names of the questions.
@Suite("Options of commands and fields of questions", .enabled(if: BuiltProgram.isExpected))
struct QuestionOptionTests {
    private struct Tool: Decodable {
        var command: Command
    }

    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var name: String
            }
            var kind: String
            var names: [Name]?
            var valueName: String?
            var abstract: String?
            var defaultValue: String?
        }

        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?

        func named(_ words: ArraySlice<Substring>) -> Command? {
            guard let first = words.first else { return self }
            return subcommands?.first { $0.commandName == first }?.named(words.dropFirst())
        }
    }

    private static let dump = Result {
        let text = try Sandbox().run("--experimental-dump-help").expecting(0).output
        return try JSONDecoder().decode(Tool.self, from: text).command
    }

    /// Fields that a command takes without a name, and those that its page alone has.
    private static let positional = [
        "show": ["at"], "history": ["identity"], "workout": ["workout"], "day": ["date"], "ecg": ["ecg"],
    ]
    private static let pageAlone = ["timeline": ["limit", "after"], "exports": ["limit", "after"]]

    @Test(
        arguments: AnswerDefinition.all.filter { !$0.command.contains("--") && $0.page != "type" && $0.page != "types" }
    )
    func everyFieldIsAnOption(answer: AnswerDefinition) throws {
        let root = try Self.dump.get()
        let command = try #require(root.named(answer.command.split(separator: " ")[...]), "\(answer.command)")
        let names = Set((command.arguments ?? []).flatMap { $0.names ?? [] }.map(\.name))
        let others = (Self.positional[answer.page] ?? []) + (Self.pageAlone[answer.page] ?? [])
        for field in answer.fields where !others.contains(field.name) {
            #expect(names.contains(field.name), "\(answer.command) has no --\(field.name)")
        }
    }

    @Test(arguments: ["workouts", "records", "metrics", "aggregates"])
    func everyOptionIsAField(page: String) throws {
        let answer = try #require(AnswerDefinition.of(page: page))
        let root = try Self.dump.get()
        let command = try #require(root.named(answer.command.split(separator: " ")[...]))
        let common: Set<String> = [
            "archive", "secret-file", "json", "quiet", "csv", "time-zone", "show-sql", "settings", "help", "h",
            "version",
        ]
        let names = Set((command.arguments ?? []).flatMap { $0.names ?? [] }.map(\.name)).subtracting(common)
        // The page of records has no other states.
        let alone: Set<String> = page == "records" ? ["all", "state"] : ["all"]
        #expect(names.subtracting(alone) == Set(answer.fields.map(\.name)))
    }
}
