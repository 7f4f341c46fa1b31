package import Basics

/// When a message of a script is due.
package enum Trigger: Equatable, Sendable {
    /// What is measured: metres of distance or active seconds.
    package enum Axis: Sendable {
        case metres, seconds
    }

    /// Once, where so much is reached.
    case at(Axis, Double)
    /// Again and again, each time so much more is reached.
    case every(Axis, Double)
    /// Once, in the middle of what is planned.
    case halfway
    /// Once, where so much is left of what is planned.
    case nearFinish(Axis, Double)
    /// Once, where what is planned is reached.
    case finish
    /// While an expression is true.
    case condition(Condition)

    /// The members of `condition` and `fatigue_zone`, which do not differ.
    package struct Condition: Equatable, Sendable {
        package var expression: TriggerExpression
        /// The branch that is open from the first instant at which the expression is true.
        package var branchKey: String?
        /// The least number of active seconds between two times.
        package var cooldownSeconds: Double?

        package init(expression: TriggerExpression, branchKey: String? = nil, cooldownSeconds: Double? = nil) {
            self.expression = expression
            self.branchKey = branchKey
            self.cooldownSeconds = cooldownSeconds
        }
    }
}

/// Why a trigger cannot be used.
package enum TriggerError: Error, Equatable, Sendable {
    case badTrigger(String)
    case badExpression(ExpressionError)
}

extension Trigger {
    /// Reads a `triggerSpec`.
    ///
    /// - Throws: `TriggerError` with the first thing that is wrong.
    package init(_ spec: JSON) throws(TriggerError) {
        guard case .object = spec else { throw .badTrigger("expected an object") }
        var members = TriggerMembers(spec)
        guard let type = try members.text("type") else { throw .badTrigger("expected type") }
        switch type {
        case "distance":
            self = try members.either("atMeters", { .at(.metres, $0) }, "everyMeters", { .every(.metres, $0) })
        case "time":
            self = try members.either("atSeconds", { .at(.seconds, $0) }, "everySeconds", { .every(.seconds, $0) })
        case "halfway": self = .halfway
        case "near_finish":
            self = try members.either(
                "remainingMeters", { .nearFinish(.metres, $0) }, "remainingSeconds", { .nearFinish(.seconds, $0) })
        case "finish": self = .finish
        case "condition", "fatigue_zone":
            guard let text = try members.text("expression") else { throw .badTrigger("expected expression") }
            let branchKey = try members.text("branchKey")
            let cooldown = try members.number("cooldownSeconds")
            let expression: TriggerExpression
            do { expression = try TriggerExpression(text) } catch { throw .badExpression(error) }
            self = .condition(Condition(expression: expression, branchKey: branchKey, cooldownSeconds: cooldown))
        default:
            throw .badTrigger(
                "expected distance, time, halfway, near_finish, finish, condition or fatigue_zone as type")
        }
        try members.requireNoOthers()
    }
}

/// The members of a trigger, each read at most once; null is as good as none.
private struct TriggerMembers {
    private var rest: [(String, JSON)]

    init(_ spec: JSON) { rest = spec.members }

    private mutating func take(_ name: String) -> JSON? {
        guard let index = rest.firstIndex(where: { $0.0 == name }) else { return nil }
        let value = rest.remove(at: index).1
        return value == .null ? nil : value
    }

    mutating func text(_ name: String) throws(TriggerError) -> String? {
        guard let value = take(name) else { return nil }
        guard let text = value.string else { throw .badTrigger("expected a string as \(name)") }
        return text
    }

    mutating func number(_ name: String) throws(TriggerError) -> Double? {
        guard let value = take(name) else { return nil }
        guard let number = value.number, number > 0 else { throw .badTrigger("expected a number above 0 as \(name)") }
        return number
    }

    /// The one of two members that is there.
    mutating func either(
        _ first: String, _ makeFirst: (Double) -> Trigger, _ second: String, _ makeSecond: (Double) -> Trigger
    ) throws(TriggerError) -> Trigger {
        let (a, b) = (try number(first), try number(second))
        if let a, b == nil { return makeFirst(a) }
        if let b, a == nil { return makeSecond(b) }
        throw .badTrigger("exactly one of \(first), \(second)")
    }

    /// - Throws: `badTrigger` for a member that the type does not have; names that begin with `x-` are others' own.
    func requireNoOthers() throws(TriggerError) {
        if rest.contains(where: { !$0.0.hasPrefix("x-") }) {
            throw .badTrigger("a member that this type does not have")
        }
    }
}
