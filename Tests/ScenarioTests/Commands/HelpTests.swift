import TestSupport
import Testing

/// Help at the width of a terminal.
@Suite("Help", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct HelpTests {
    private static let commands = [
        [], ["inspect"], ["import"], ["timeline"], ["show"], ["records"], ["sources"], ["history"], ["diff"],
        ["aggregates"],
        ["consolidation"], ["export"], ["export", "records"], ["export", "diff"], ["export", "selection"],
        ["export", "xml"], ["exports"], ["verify-export"], ["report"], ["locate"], ["check"], ["seal"], ["archive"],
        ["archive", "info"], ["archive", "repair"], ["archive", "reset"], ["key"], ["key", "export"],
    ]

    @Test(arguments: [60, 80, 140])
    func linesAreWrappedOnce(width: Int) throws {
        let sandbox = try Sandbox()
        sandbox.environment["COLUMNS"] = "\(width)"
        for command in Self.commands {
            let text = try sandbox.run(["help"] + command).expecting(0).outputText
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            // The parser never wraps these two.
            let wrapped = lines.filter { !$0.hasPrefix("USAGE: ") && !$0.hasPrefix("  See 'healthprobe help") }
            #expect(wrapped.allSatisfy { $0.count <= width }, "\(command)")
            #expect(!text.contains("Exit codes"), "\(command): the manual lists them")
            // A line of a paragraph ends where its next word has no room.
            let overview = lines.prefix { !$0.hasPrefix("USAGE") }
            for (line, next) in zip(overview, overview.dropFirst()) where !line.isEmpty && !next.isEmpty {
                let word = next.prefix { $0 != " " }
                #expect(line.count + 1 + word.count >= width, "\(command): \(line)")
            }
        }
    }
}
