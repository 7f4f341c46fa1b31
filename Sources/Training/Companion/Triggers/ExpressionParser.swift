/// What is wrong with the text of an expression.
package struct ExpressionError: Error, Equatable, Sendable {
    /// Where, in characters from 1.
    package let column: Int
    /// What would have been right there.
    package let expected: String

    package init(column: Int, expected: String) {
        self.column = column
        self.expected = expected
    }
}

extension TriggerExpression {
    /// Reads the text of an expression.
    ///
    ///     expression = and , { "OR" , and } ;            and  = not , { "AND" , not } ;
    ///     not        = "NOT" , not | primary ;           primary = "(" , expression , ")" | comparison ;
    ///     comparison = operand , op , operand ;          op = ">" | ">=" | "<" | "<=" | "==" | "!=" ;
    ///     operand    = variable | number ;
    ///
    /// One operand of a comparison is a variable. Keywords are of any case, variables as they are written here.
    ///
    /// - Throws: `ExpressionError` with the first place that does not fit.
    package init(_ text: String) throws(ExpressionError) {
        var parser = try ExpressionParser(text)
        self = try parser.whole()
    }
}

/// The recursive descent over one expression.
private struct ExpressionParser {
    private let characters: [Unicode.Scalar]
    private var at = 0
    /// How many parentheses are open.
    private var depth = 0
    private static let longest = 256
    private static let deepest = 16

    init(_ text: String) throws(ExpressionError) {
        characters = Array(text.unicodeScalars)
        if characters.count > Self.longest {
            throw ExpressionError(column: Self.longest + 1, expected: "at most \(Self.longest) characters")
        }
    }

    mutating func whole() throws(ExpressionError) -> TriggerExpression {
        let expression = try expression()
        guard at == characters.count else { throw failure("AND, OR or the end") }
        return expression
    }

    private mutating func expression() throws(ExpressionError) -> TriggerExpression {
        var left = try conjunction()
        while skip(keyword: "OR") { left = .or(left, try conjunction()) }
        return left
    }

    private mutating func conjunction() throws(ExpressionError) -> TriggerExpression {
        var left = try negation()
        while skip(keyword: "AND") { left = .and(left, try negation()) }
        return left
    }

    private mutating func negation() throws(ExpressionError) -> TriggerExpression {
        if skip(keyword: "NOT") { return .not(try negation()) }
        skipSpace()
        guard next == "(" else { return try comparison() }
        guard depth < Self.deepest else { throw failure("at most \(Self.deepest) parentheses in each other") }
        at += 1
        depth += 1
        let inner = try expression()
        guard next == ")" else { throw failure("')', AND or OR") }
        at += 1
        depth -= 1
        skipSpace()
        return inner
    }

    private mutating func comparison() throws(ExpressionError) -> TriggerExpression {
        let left = try operand(expected: "a variable, a number, NOT or '('")
        skipSpace()
        guard let comparison = TriggerExpression.Comparison.allCases.first(where: { isNext($0.rawValue) }) else {
            throw failure("one of " + TriggerExpression.Comparison.allCases.map(\.rawValue).joined(separator: ", "))
        }
        at += comparison.rawValue.unicodeScalars.count
        skipSpace()
        let right: TriggerExpression.Operand
        if case .number = left {
            let from = at
            right = try operand(expected: "a variable")
            if case .number = right {
                at = from
                throw failure("a variable")
            }
        } else {
            right = try operand(expected: "a variable or a number")
        }
        skipSpace()
        return .comparison(left, comparison, right)
    }

    private mutating func operand(expected: String) throws(ExpressionError) -> TriggerExpression.Operand {
        let word = word
        if !word.isEmpty {
            guard let variable = TriggerVariable(rawValue: word) else {
                throw failure("one of " + TriggerVariable.allCases.map(\.rawValue).joined(separator: ", "))
            }
            at += word.unicodeScalars.count
            return .variable(variable)
        }
        let from = at
        if next == "-" { at += 1 }
        guard skipDigits() else {
            at = from
            throw failure(expected)
        }
        let whole = at
        if next == "." {
            at += 1
            if !skipDigits() { at = whole }
        }
        var digits = String.UnicodeScalarView()
        digits.append(contentsOf: characters[from..<at])
        return .number(Double(String(digits)) ?? 0)
    }

    private var next: Unicode.Scalar? { at < characters.count ? characters[at] : nil }

    /// The letters, digits and underscores that are next, unless they begin with a digit.
    private var word: String {
        guard let next, next.properties.isAlphabetic || next == "_" else { return "" }
        var word = String.UnicodeScalarView()
        word.append(
            contentsOf: characters[at...].prefix { $0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0) }
        )
        return String(word)
    }

    private func isNext(_ text: String) -> Bool { characters[at...].starts(with: text.unicodeScalars) }

    private mutating func skipSpace() {
        while let next, next == " " || next == "\t" || next == "\n" || next == "\r" { at += 1 }
    }

    private mutating func skipDigits() -> Bool {
        let from = at
        while let next, ("0"..."9").contains(next) { at += 1 }
        return at > from
    }

    private mutating func skip(keyword: String) -> Bool {
        skipSpace()
        guard word.uppercased() == keyword else { return false }
        at += keyword.unicodeScalars.count
        skipSpace()
        return true
    }

    private func failure(_ expected: String) -> ExpressionError { ExpressionError(column: at + 1, expected: expected) }
}
