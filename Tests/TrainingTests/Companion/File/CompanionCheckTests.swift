import Foundation
import Testing
import TestSupport
import Training

/// Companion files: what is read, and every kind of error with its place.
@Suite struct CompanionCheckTests {
    /// A file with every member that there is.
    static let text: String = {
        let url = TestSupport.repository.appendingPathComponent("Tests/TrainingTests/Data/companion.json")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }()

    private func check(_ old: String = "", _ new: String = "") -> CompanionCheck {
        CompanionCheck(Array((old.isEmpty ? Self.text : Self.text.replacing(old, with: new, maxReplacements: 1)).utf8))
    }

    @Test func everyMemberIsRead() throws {
        let check = check()
        #expect(check.errors.isEmpty && check.warnings.isEmpty)
        let file = try #require(check.file)
        let run = try #require(file.run("00000000-0000-4000-8000-000000000001"))
        #expect(run.startedAt == 1_714_550_400 && run.endedAt == 1_714_552_200.25)
        #expect(run.label == "Long run" && run.workoutUUID == "0000000a-0000-4000-8000-00000000000A")
        #expect(run.notes == [1_714_551_000] && run.plays.map(\.playedAt) == [1_714_550_700])
        #expect([run.cachedDistance, run.cachedDuration, run.cachedPace] == [5000, 1800.5, 360])
        let messages = try #require(run.script).messages
        #expect(messages.map(\.priority) == [40, 50, 50] && messages.map(\.playOnce) == [nil, false, nil])
        #expect(messages[0].trigger == .every(.metres, 1000) && messages[0].branchKey == "on_pace")
        let setup = try #require(file.raceSetup(of: run))
        #expect(setup.fuelling == [.at(.metres, 5000)] && setup.hydration == [.every(.metres, 2500)])
    }

    @Test(
        "each error has its code and its place",
        arguments: [
            ("healthprobe.companion/1", "healthprobe.companion/2", "unknownSchema", "/schema"),
            ("\"mode\": \"race\",", "", "missingMember", "/runs/0/mode"),
            ("\"mode\": \"race\"", "\"mode\": null", "wrongType", "/runs/0/mode"),
            ("\"mode\": \"race\"", "\"mode\": \"Race\"", "unknownValue", "/runs/0/mode"),
            ("\"perceivedEffort\": 7", "\"perceivedEffort\": 11", "outOfRange", "/runs/0/perceivedEffort"),
            ("\"perceivedEffort\": 7", "\"perceivedEffort\": 7.5", "wrongType", "/runs/0/perceivedEffort"),
            ("\"x-own\"", "\"a/b~c\"", "unknownMember", "/runs/0/a~1b~0c"),
            ("\"x-own\"", "\"mode\"", "unknownMember", "/runs/0/mode"),
            ("08:00:00Z", "08:00:00", "wrongType", "/runs/0/startedAt"),
            ("10:30:00.250+02:00", "09:59:59+02:00", "endsBeforeStart", "/runs/0/endedAt"),
            (
                "8000-000000000003\",\n      \"trig", "8000-000000000004\",\n      \"trig", "duplicateId",
                "/runs/0/script/messages/1/id"
            ),
            (
                "\"messageId\": \"00000000-0000-4000-8000-000000000003",
                "\"messageId\": \"00000000-0000-4000-8000-000000000001",
                "danglingReference", "/runs/0/aiMessagesPlayed/0/messageId"
            ),
            (
                "\"aiReplyId\": \"00000000-0000-4000-8000-000000000007",
                "\"aiReplyId\": \"00000000-0000-4000-8000-00000000000f",
                "danglingReference", "/runs/0/voiceNotes/0/aiReplyId"
            ),
            (
                "\"runId\": \"00000000-0000-4000-8000-000000000001",
                "\"runId\": \"00000000-0000-4000-8000-00000000000f",
                "mismatchedRun", "/runs/0/script/runId"
            ),
            (
                "\"everyMeters\": 1000 ", "\"everyMeters\": 1000, \"atMeters\": 1 ", "badTrigger",
                "/runs/0/script/messages/0/triggerSpec"
            ),
            ("hr > 150", "hr > 150)", "badExpression", "/runs/0/script/messages/1/triggerSpec/expression"),
            ("\"distanceMeters\": 10000", "\"distanceMeters\": 0", "outOfRange", "/raceSetups/0/distanceMeters"),
            ("\"atMeters\": 5000, ", "", "badTrigger", "/raceSetups/0/fuelingPlan/0"),
            ("\"confidence\": 1", "\"confidence\": 1.5", "outOfRange", "/userMemory/0/confidence"),
            ("{\\\"time\\\": 3000}", "{", "wrongType", "/userMemory/0/value"),
        ])
    func errors(old: String, new: String, code: String, pointer: String) {
        #expect(Self.text.contains(old))
        let check = check(old, new)
        #expect(check.errors.contains { $0.code == code && $0.pointer == pointer }, "\(check.errors)")
        #expect(check.file == nil && check.errorCount == check.errors.count)
    }

    @Test(
        "one mistake is one error",
        arguments: [
            // A run without an id: its script is not unknown for that.
            (
                "\"id\": \"00000000-0000-4000-8000-000000000001\",", "", "missingMember", "/runs/0/id"
            ),
            // What refers to the run finds it, though a race has its id.
            (
                "\"id\": \"00000000-0000-4000-8000-000000000008", "\"id\": \"00000000-0000-4000-8000-000000000001",
                "duplicateId", "/raceSetups/0/id"
            ),
            ("\"atMeters\": 5000", "\"atMeters\": 0", "outOfRange", "/raceSetups/0/fuelingPlan/0/atMeters"),
            ("\"atMeters\": 5000", "\"atMeters\": \"5\"", "wrongType", "/raceSetups/0/fuelingPlan/0/atMeters"),
        ])
    func oneMistake(old: String, new: String, code: String, pointer: String) {
        #expect(Self.text.contains(old))
        let errors = check(old, new).errors.filter { $0.code != "danglingReference" || pointer != "/runs/0/id" }
        #expect(errors.map(\.code) == [code] && errors.map(\.pointer) == [pointer], "\(errors)")
    }

    @Test func errorsOfSyntaxAndExpressionsHaveColumns() {
        #expect(check("hr > 150", "hr >").errors.map(\.column) == [5])
        let error = check("\"linkKey\": \"aarcRunId\"", "\"linkKey\": \"aarcRunId\",").errors.first
        #expect(error?.code == "syntax" && error?.line == Self.text.split(separator: "\n").count && error?.column == 1)
        #expect(CompanionCheck([]).errors.map(\.code) == ["syntax"])
        #expect(CompanionCheck(Array("[]".utf8)).errors.map(\.code) == ["wrongType"])
        let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
        #expect(check("[1]", deep).errors.map(\.code) == ["syntax"])
    }

    @Test func allErrorsAreCountedAndAHundredKept() {
        let runs = String(repeating: "{},", count: 60)
        let check = CompanionCheck(Array("{\"schema\":\"healthprobe.companion/1\",\"runs\":[\(runs){}]}".utf8))
        #expect(check.errorCount == 61 * 5 && check.errors.count == 100)
    }

    @Test func capsAreErrors() {
        let runs = String(repeating: "0,", count: 10_000)
        let many = CompanionCheck(Array("{\"schema\":\"healthprobe.companion/1\",\"runs\":[\(runs)0]}".utf8))
        #expect(many.errors.map(\.code) == ["outOfRange"] && many.errors.map(\.pointer) == ["/runs"])
    }

    @Test(arguments: [
        ("\"confidence\": 1", "\"confidence\": 0.5", "userConfidenceBelowOne", "/userMemory/0/confidence"),
        ("\"priority\": 40", "\"playOnce\": true", "playOnceIgnored", "/runs/0/script/messages/0"),
        ("\"branchKey\": \"on_pace\"", "\"branchKey\": \"easy\"", "neverFires", "/runs/0/script/messages/0"),
        (
            "\"type\": \"halfway\"", "\"type\": \"near_finish\", \"remainingSeconds\": 60", "neverFires",
            "/runs/0/script/messages/2"
        ),
        ("\"everyMeters\": 1000 ", "\"atMeters\": 10001 ", "unreachable", "/runs/0/script/messages/0"),
        ("\"atMeters\": 5000", "\"atMeters\": 10001", "unreachable", "/raceSetups/0/fuelingPlan/0"),
    ])
    func warnings(old: String, new: String, code: String, pointer: String) {
        #expect(Self.text.contains(old))
        let check = check(old, new)
        #expect(check.file != nil && check.warnings.map(\.code) == [code] && check.warnings.map(\.pointer) == [pointer])
    }

    @Test func aLinkWithoutRunsIsAWarning() {
        let check = CompanionCheck(Array(#"{"schema":"healthprobe.companion/1","runs":[],"linkKey":"k"}"#.utf8))
        #expect(check.warnings.map(\.code) == ["keyWithoutRun"])
    }

    /// The JSON Schema and the reader agree on what there must be and may be: each object of the whole file is read
    /// without each of its members.
    @Test func theSchemaNamesWhatTheReaderReads() throws {
        let url = TestSupport.repository.appendingPathComponent("docs/schemas/companion.json")
        let schema = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(Self.text.utf8)) as? [String: Any])
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        let places: [(String, [String])] = [
            ("run", ["runs", "0"]), ("script", ["runs", "0", "script"]),
            ("scriptMessage", ["runs", "0", "script", "messages", "0"]),
            ("voiceNote", ["runs", "0", "voiceNotes", "0"]),
            ("playedMessage", ["runs", "0", "aiMessagesPlayed", "0"]), ("raceSetup", ["raceSetups", "0"]),
            ("userMemory", ["userMemory", "0"]), ("aiReply", ["aiReplies", "0"]),
        ]
        for (definition, place) in [("", [])] + places {
            let rules = definition.isEmpty ? schema : try #require(definitions[definition])
            let names = Set(try #require(rules["properties"] as? [String: Any]).keys)
            let required = Set(rules["required"] as? [String] ?? [])
            for name in names {
                let data = try JSONSerialization.data(withJSONObject: Self.without(place + [name], whole))
                let missing = CompanionCheck(Array(data)).errors.filter { $0.code == "missingMember" }.map(\.pointer)
                let pointer = "/" + (place + [name]).joined(separator: "/")
                #expect(missing == (required.contains(name) ? [pointer] : []), "\(definition).\(name)")
            }
            let data = try JSONSerialization.data(withJSONObject: Self.without(place + ["unknown"], whole, value: 1))
            #expect(CompanionCheck(Array(data)).errors.map(\.code) == ["unknownMember"], "\(definition)")
        }
    }

    /// The value with the member at a path replaced, or without it.
    private static func without(_ path: [String], _ value: Any, value new: Any? = nil) -> Any {
        guard let name = path.first else { return new ?? NSNull() }
        let rest = Array(path.dropFirst())
        if var array = value as? [Any], let index = Int(name), index < array.count {
            array[index] = without(rest, array[index], value: new)
            return array
        }
        guard var object = value as? [String: Any] else { return value }
        object[name] = rest.isEmpty ? new : without(rest, object[name] ?? [:], value: new)
        return object
    }
}
