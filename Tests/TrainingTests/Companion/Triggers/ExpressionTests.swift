import Testing
import Training

/// The expressions of conditions: their grammar, where errors are, and Kleene's logic.
@Suite struct ExpressionTests {
    /// What is expected in the place of a variable.
    private static let names =
        "one of distance, duration, current_pace, avg_pace, target_pace, pace_3min_ratio, hr, hr_zone, cadence, time_of_day_hour"

    @Test(
        "an error has the column and what would be right",
        arguments: [
            ("hr >", 5, "a variable or a number"), ("hr => 150", 4, "one of >=, <=, ==, !=, >, <"),
            ("(hr > 150", 10, "')', AND or OR"), ("hr > 150)", 9, "AND, OR or the end"), ("5 > 4", 5, "a variable"),
            ("pace > 5", 1, names), ("current_pace*2 > 5", 13, "one of >=, <=, ==, !=, >, <"),
            ("hr > 1e3", 7, "AND, OR or the end"), ("", 1, "a variable, a number, NOT or '('"),
            ("hr > 150 AND", 13, "a variable, a number, NOT or '('"), ("hr > 150 hr", 10, "AND, OR or the end"),
            ("HR > 150", 1, names), ("hr > -", 6, "a variable or a number"), ("hr > 1.", 7, "AND, OR or the end"),
            ("NOT", 4, "a variable, a number, NOT or '('"), ("\u{E9} > 1", 1, names), ("5 >", 4, "a variable"),
            ("hr >\u{A0}1", 5, "a variable or a number"),
            (
                String(repeating: "(", count: 17) + "hr > 1" + String(repeating: ")", count: 17), 17,
                "at most 16 parentheses in each other"
            ),
            (String(repeating: " ", count: 251) + "hr > 1", 257, "at most 256 characters"),
        ])
    func errors(text: String, column: Int, expected: String) {
        #expect(throws: ExpressionError(column: column, expected: expected)) { try TriggerExpression(text) }
    }

    @Test("AND binds before OR, NOT before both, keywords are of any case and white space is free")
    func precedence() throws {
        let hr = TriggerExpression.comparison(.variable(.heartRate), .atLeast, .number(150))
        let pace = TriggerExpression.comparison(.number(-2.5), .unequal, .variable(.currentPace))
        #expect(try TriggerExpression("hr>=150") == hr)
        #expect(
            try TriggerExpression("\thr >= 150\nor -2.5!=current_pace And NOT hr>=150 ")
                == .or(hr, .and(pace, .not(hr))))
        #expect(try TriggerExpression("(hr>=150 OR -2.5!=current_pace)and hr>=150.0") == .and(.or(hr, pace), hr))
        #expect(
            try TriggerExpression(String(repeating: "(", count: 16) + "hr>=150" + String(repeating: ")", count: 16))
                == hr)
        #expect(try TriggerExpression("not NOT hr>=150") == .not(.not(hr)))
    }

    @Test("what is not known is neither true nor false, unless the other side decides")
    func threeValues() throws {
        var values = TriggerValues()
        values[.distance] = 2_000
        let truths: [(String, Bool?)] = [
            ("hr > 1", nil), ("NOT hr > 1", nil), ("hr > 1 AND distance > 1", nil), ("hr > 1 AND distance < 1", false),
            ("distance < 1 AND hr > 1", false), ("hr > 1 OR distance > 1", true), ("distance > 1 OR hr > 1", true),
            ("hr > 1 OR distance < 1", nil), ("hr == hr", nil), ("distance == distance", true),
            ("distance <= 2000", true), ("distance != 2000", false), ("2000 >= distance", true),
        ]
        for (text, truth) in truths { #expect(try TriggerExpression(text).isTrue(values) == truth, "\(text)") }
    }

    @Test("every variable has a name of the file and a value of its own")
    func variables() throws {
        for variable in TriggerVariable.allCases {
            let expression = try TriggerExpression("\(variable.rawValue) >= 0")
            #expect(expression.variables == [variable] && expression.isTrue(TriggerValues()) == nil)
        }
    }
}
