import ArgumentParser
@testable import Commands
import Testing

/// What people read before they know the program.
@Suite("The command line")
struct CommandLineTests {
    @Test("help has the commands in groups, and what people come for on its first screen")
    func groups() {
        let help = HealthProbe.helpMessage(columns: 80)
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let groups = [
            "IMPORT AND LOOK", "WHAT CHANGED", "WORKOUTS AND DAYS", "HAND ON", "CARE OF THE ARCHIVE", "APPS' SCRIPTS",
        ]
        let places = groups.compactMap { name in lines.firstIndex { $0 == name + " SUBCOMMANDS:" } }
        #expect(places.count == groups.count)
        #expect(places == places.sorted())
        for command in ["serve", "report", "mcp"] {
            let place = lines.firstIndex { $0.hasPrefix("  \(command) ") }
            #expect((place ?? .max) < 50, "\(command)")
        }
    }

    @Test(
        "an unknown option leads to the commands that have it, or to a name like it",
        arguments: [
            (["records", "--state", "finest"], "--state", "It is an option of:"),
            (["records", "--limt", "3"], "--limt", "Did you mean --limit?"),
        ])
    func unknownOptions(arguments: [String], name: String, words: String) {
        let message = "Error: Unknown option '\(name)'. Did you mean '--at'?\nUsage: healthprobe records"
        let corrected = OptionName.corrected(message, of: arguments)
        #expect(corrected.contains(words))
        #expect(!corrected.contains("--at'?"))
        #expect(corrected.hasSuffix("\nUsage: healthprobe records"))
    }

    @Test("other messages stay as they are")
    func otherMessages() {
        #expect(OptionName.corrected("Error: Missing value", of: []) == "Error: Missing value")
    }
}
