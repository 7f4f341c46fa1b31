import Foundation
import Testing
import TestSupport

/// Text from an export never reaches a terminal as anything but text.
@Suite("Hostile text", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct HostileTextTests {
    /// Escape and C1 sequences, bidirectional controls, a line of its own, a carriage return, and a very wide name.
    private static let names = [
        "A\u{1B}]0;owned\u{07}\u{1B}[2Jred\u{1B}[31m", "B\u{9B}31mC1", "C\u{202E}gnp.exe", "D&#10;FORGED LINE",
        "E&#13;FORGED RETURN", "F&#9;tab\u{2028}line\u{2066}isolate", "G\u{7F}\u{85}\u{200F}",
        String(repeating: "名", count: 300),
    ]

    private static let commands: [[String]] = [
        ["timeline"], ["show", "latest"], ["records", "--at", "latest"], ["diff"], ["diff", "--records"],
        ["check"], ["archive", "info"],
    ]

    @Test func reachesNoHumanOutput() throws {
        let sandbox = try imported()
        for command in Self.commands { try expectHarmless(try sandbox.run(command)) }
        try expectHarmless(try sandbox.run("inspect", sandbox.path("second.xml")))
        let identity = try #require(
            try sandbox.run("records", "--at", "latest", "--json").objects().first?["identity"] as? String)
        try expectHarmless(try sandbox.run("history", identity))
    }

    @Test func reachesNoJSON() throws {
        let sandbox = try imported()
        for command in Self.commands {
            let answer = try sandbox.run(command + ["--json"]).expecting(0)
            #expect(controlCharacter(in: answer.outputText) == nil, "\(answer.command)")
            _ = try answer.objects()
        }
    }

    @Test func reachesNoTerminal() throws {
        let sandbox = try imported()
        sandbox.environment["NO_COLOR"] = "1"
        // A file of CSV keeps every character; what a terminal is shown does not.
        let tables = [["records", "--at", "latest", "--csv"], ["aggregates", "--csv"]]
        for command in Self.commands + tables + [["report", "--format", "markdown"], ["seal", "--all"]] {
            let terminal = try PseudoTerminal()
            let (printed, answer) = try terminal.read(until: sandbox.start(command, terminal: terminal.path))
            #expect(answer.status == 0)
            #expect(!printed.isEmpty)
            let text = String(decoding: Self.withoutReturns(printed), as: UTF8.self)
            #expect(controlCharacter(in: text) == nil, "\(answer.command) with NO_COLOR on a terminal")
            #expect(!Self.isBidirectional(text), "\(answer.command) turns the line around on a terminal")
        }
    }

    @Test(arguments: [["records", "--at", "latest", "--csv"], ["aggregates", "--csv"]])
    func tablesInFilesKeepEveryCharacter(_ command: [String]) throws {
        let answer = try imported().run(command).expecting(0)
        for scalar: Unicode.Scalar in ["\u{7F}", "\u{85}", "\u{9B}", "\u{200F}", "\u{202E}", "\u{2066}"] {
            #expect(answer.outputText.unicodeScalars.contains(scalar), "\(answer.command) lacks \(scalar.value)")
        }
        #expect(!answer.outputText.contains("\\u{"))
    }

    @Test func reachesNoErrorMessage() throws {
        let sandbox = try Sandbox()
        let path = sandbox.path("no\u{1B}[31m\u{202E}such\nfile.zip")
        let missing = try sandbox.run("import", path).expecting(66)
        try expectHarmless(missing)
        #expect(!missing.errors.contains(0x1B) && !missing.errorText.contains("\u{202E}"), "\(missing.errorText)")
        let unknown = try imported().run("records", "--at", "\u{1B}[31mlatest").expecting(64)
        #expect(!unknown.errors.contains(0x1B), "\(unknown.errorText)")
    }

    private func expectHarmless(_ answer: Answer) throws {
        #expect(answer.status == 0 || answer.status == 66, "\(answer.command)\n\(answer.errorText)")
        let text = answer.outputText
        #expect(controlCharacter(in: text) == nil, "\(answer.command)")
        #expect(!Self.isBidirectional(text), "\(answer.command) lets a name turn the line around")
        let isForged = text.split(separator: "\n").contains { $0.hasPrefix("FORGED") }
        #expect(!isForged, "\(answer.command) lets a name begin a line")
    }

    private static func isBidirectional(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            (0x200E...0x200F).contains($0.value) || (0x202A...0x202E).contains($0.value)
                || (0x2066...0x2069).contains($0.value) || $0 == "\u{2028}"
        }
    }

    /// Without the carriage returns of line ends: CSV has them, and a terminal adds one.
    private static func withoutReturns(_ bytes: Data) -> Data {
        var result = Data()
        for byte in bytes {
            while byte == 0x0A, result.last == 0x0D { result.removeLast() }
            result.append(byte)
        }
        return result
    }

    private func imported() throws -> Sandbox {
        let sandbox = try Sandbox()
        let meta = Self.names.map { #"<MetadataEntry key="\#($0)" value="\#($0)"/>"# }.joined()
        let body = Self.names.enumerated().map { Inputs.heartRate(60 + $0, source: $1, inner: meta) }.joined()
        let unknown = Self.names.prefix(3).map { #" <Odd label="\#($0)">\#($0)</Odd>\#n"# }.joined()
        let second = body + unknown + #" <Record type="\#(Self.names[1])" startDate="x"/>\#n"#
        let dates = ["2024-05-01 10:00:00 +0200", "2024-05-02 10:00:00 +0200"]
        for (name, text) in zip(["first.xml", "second.xml"], zip(dates, [body, second]).map(Inputs.export)) {
            let answer = try sandbox.run(
                "import", try sandbox.write(text, to: name), "--note", "note\u{1B}[31m\u{202E}")
            try expectHarmless(answer.expecting(0))
        }
        return sandbox
    }
}
