import Basics
import Testing

@Suite struct NearestNamesTests {
    @Test(arguments: [
        ("last", ["first", "latest"], ["latest"]), ("hartrate", ["HeartRate", "BodyMass"], ["HeartRate"]),
        ("Heart", ["BodyMass", "RestingHeartRate", "HeartRate"], ["HeartRate", "RestingHeartRate"]),
        ("timelin", ["timeline", "show"], ["timeline"]), ("nope", ["show", "key", "log", "diff"], []),
        ("", ["a", "ab"], []), ("x", ["y"], []),
        ("robins iphone", ["Robin’s\u{A0}iPhone", "Health"], ["Robin’s\u{A0}iPhone"]),
    ])
    func nearestNames(_ name: String, _ candidates: [String], _ expected: [String]) {
        #expect(NearestNames.of(name, among: candidates) == expected)
    }

    @Test(arguments: [
        ("Robin’s\u{A0}iPhone", "robin's iphone"), ("“Ring”\u{202F}2", "\"ring\" 2"), ("e\u{301}tui", "ÉTUI"),
        ("’‘‛‚", "''''"),
    ])
    func foldedNamesAreEqual(_ name: String, _ typed: String) {
        #expect(NearestNames.folded(name) == NearestNames.folded(typed))
    }

    @Test func otherNamesStayApart() {
        for (name, other) in [("Watch", "Watch 2"), ("Robin's", "Robins"), ("ä", "a"), ("a  b", "a b")] {
            #expect(NearestNames.folded(name) != NearestNames.folded(other))
        }
    }

    @Test func questions() {
        #expect(NearestNames.question([]).isEmpty)
        #expect(NearestNames.question(["a"]) == " Did you mean a?")
        #expect(NearestNames.question(["a", "b", "c"]) == " Did you mean a, b or c?")
    }
}
