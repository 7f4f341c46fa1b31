import Basics
import Testing
import Training

/// `triggerSpec` of the messages of scripts.
@Suite struct TriggerTests {
    private func trigger(_ text: String) throws -> Trigger { try Trigger(JSON.document(Array(text.utf8))) }

    @Test(arguments: [
        (#"{"type":"distance","atMeters":1000}"#, Trigger.at(.metres, 1000)),
        (#"{"everyMeters":1000.0,"type":"distance"}"#, .every(.metres, 1000)),
        (#"{"type":"time","atSeconds":1e3}"#, .at(.seconds, 1000)),
        (#"{"type":"time","everySeconds":60}"#, .every(.seconds, 60)),
        (#"{"type":"halfway","x-note":[1]}"#, .halfway), (#"{"type":"finish"}"#, .finish),
        (#"{"type":"near_finish","remainingMeters":500}"#, .nearFinish(.metres, 500)),
        (#"{"type":"near_finish","remainingSeconds":60,"remainingMeters":null}"#, .nearFinish(.seconds, 60)),
    ])
    func forms(text: String, expected: Trigger) throws { #expect(try trigger(text) == expected) }

    @Test func conditions() throws {
        let expression = try TriggerExpression("hr_zone >= 4")
        for type in ["condition", "fatigue_zone"] {
            let text = #"{"type":"\#(type)","expression":"hr_zone >= 4","branchKey":"hard","cooldownSeconds":240}"#
            #expect(
                try trigger(text)
                    == .condition(.init(expression: expression, branchKey: "hard", cooldownSeconds: 240)))
        }
        #expect(throws: TriggerError.badExpression(ExpressionError(column: 5, expected: "a variable or a number"))) {
            try trigger(#"{"type":"condition","expression":"hr >"}"#)
        }
    }

    @Test(arguments: [
        ("[]", "expected an object"), ("{}", "expected type"),
        (#"{"type":"distance"}"#, "exactly one of atMeters, everyMeters"),
        (#"{"type":"distance","atMeters":1,"everyMeters":1}"#, "exactly one of atMeters, everyMeters"),
        (#"{"type":"distance","atMeters":0}"#, "expected a number above 0 as atMeters"),
        (#"{"type":"distance","atMeters":"1"}"#, "expected a number above 0 as atMeters"),
        (#"{"type":"distance","atMeters":1,"atSeconds":1}"#, "a member that this type does not have"),
        (#"{"type":"halfway","atMeters":1}"#, "a member that this type does not have"),
        (#"{"type":"condition"}"#, "expected expression"),
        (
            #"{"type":"condition","expression":"hr > 1","cooldownSeconds":-1}"#,
            "expected a number above 0 as cooldownSeconds"
        ),
        (
            #"{"type":"lap"}"#,
            "expected distance, time, halfway, near_finish, finish, condition or fatigue_zone as type"
        ),
    ])
    func errors(text: String, message: String) {
        #expect(throws: TriggerError.badTrigger(message)) { try trigger(text) }
    }
}
