import Foundation
import Testing
import TestSupport

/// What ArgumentParser examines only in a debug configuration, which the tests do not have: no two options of a command
/// have one name, and no positional argument comes behind one that takes all there are.
struct DeclarationTests {
    private struct Tool: Decodable {
        var command: Command
    }

    private struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?

        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]?
        var isRepeating: Bool
    }

    @Test func everyArgumentCanBeGiven() throws {
        let dump = try Sandbox().run("--experimental-dump-help").expecting(0).output
        // ArgumentParser's own `help` takes --help twice.
        let commands = try JSONDecoder().decode(Tool.self, from: dump).command.all.filter { $0.commandName != "help" }
        #expect(commands.count > 50)
        for command in commands {
            let arguments = command.arguments ?? []
            let names = arguments.flatMap { $0.names ?? [] }.map { $0.kind + $0.name }
            #expect(Set(names).count == names.count, "\(command.commandName)")
            let positional = arguments.filter { $0.kind == "positional" }
            #expect(positional.dropLast().allSatisfy { !$0.isRepeating }, "\(command.commandName)")
        }
    }
}
