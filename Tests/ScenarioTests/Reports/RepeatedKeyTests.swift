import Foundation
import Testing
import TestSupport

/// No object that the program prints has a key twice.
@Suite("Repeated keys", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct RepeatedKeyTests {
    @Test func theScanFindsThem() throws {
        #expect(try RepeatedKeys.find(in: Data(#"{"a":[{"b":1,"c":"\",b"},{}],"b":-1.5e3,"a":null}"#.utf8)) == ["a"])
        #expect(try RepeatedKeys.find(in: Data("{\"x\":{\"y\":1,\"y\":2}}\n{\"x\":[]}\n".utf8)) == ["y"])
        for wrong in ["{", "{\"a\"}", "[1,]", "\"a", "{\"a\":1}x"] {
            #expect(throws: (any Error).self, "\(wrong)") { try RepeatedKeys.find(in: Data(wrong.utf8)) }
        }
    }

    @Test(arguments: ["condensed-workouts", "truncated-then-complete", "unit-switch", "routes-ecg-clinical"])
    func noAnswerHasOne(_ scenario: String) throws {
        let sandbox = try Sandbox()
        try Inputs.importScenario(scenario, into: sandbox)
        for command in [
            ["report"], ["report", "--through", "first", "latest"], ["report", "--show-sql"], ["diff"],
            ["diff", "--records"], ["consolidation"], ["consolidation", "--groups"], ["show"], ["show", "first"],
            ["timeline"], ["records"], ["aggregates"], ["check"], ["archive", "info"], ["archive", "log"], ["seal"],
        ] {
            let answer = try sandbox.run(command + ["--json"]).expecting(0)
            #expect(command.contains("--groups") || !answer.output.isEmpty, "\(command)")
            #expect(try RepeatedKeys.find(in: answer.output) == [], "\(command)")
        }
    }
}
