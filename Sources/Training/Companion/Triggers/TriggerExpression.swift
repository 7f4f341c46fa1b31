/// The expression of a condition: comparisons of variables and numbers, joined by AND, OR and NOT.
package indirect enum TriggerExpression: Equatable, Sendable {
    case comparison(Operand, Comparison, Operand)
    case and(TriggerExpression, TriggerExpression)
    case or(TriggerExpression, TriggerExpression)
    case not(TriggerExpression)

    /// One side of a comparison.
    package enum Operand: Equatable, Sendable {
        case variable(TriggerVariable)
        case number(Double)
    }

    /// How two sides are compared.
    package enum Comparison: String, Sendable, CaseIterable {
        // The longer of two that begin alike comes first: the parser takes the first that fits.
        case atLeast = ">="
        case atMost = "<="
        case equal = "=="
        case unequal = "!="
        case above = ">"
        case below = "<"
    }

    /// Whether the expression is true; nil where that cannot be known, by Kleene's logic of three values.
    package func isTrue(_ values: TriggerValues) -> Bool? {
        switch self {
        case .comparison(let left, let comparison, let right):
            guard let left = left.value(values), let right = right.value(values) else { return nil }
            return comparison.holds(left, right)
        case .and(let left, let right):
            let first = left.isTrue(values)
            if first == false { return false }
            let second = right.isTrue(values)
            return second == false ? false : first == nil ? nil : second
        case .or(let left, let right):
            let first = left.isTrue(values)
            if first == true { return true }
            let second = right.isTrue(values)
            return second == true ? true : first == nil ? nil : second
        case .not(let inner): return inner.isTrue(values).map { !$0 }
        }
    }

    /// The variables that the expression names.
    package var variables: Set<TriggerVariable> {
        switch self {
        case .comparison(let left, _, let right):
            Set(
                [left, right].compactMap {
                    if case .variable(let variable) = $0 { variable } else { nil }
                })
        case .and(let left, let right), .or(let left, let right): left.variables.union(right.variables)
        case .not(let inner): inner.variables
        }
    }
}

extension TriggerExpression.Operand {
    fileprivate func value(_ values: TriggerValues) -> Double? {
        switch self {
        case .variable(let variable): values[variable]
        case .number(let number): number
        }
    }
}

extension TriggerExpression.Comparison {
    fileprivate func holds(_ left: Double, _ right: Double) -> Bool {
        switch self {
        case .above: left > right
        case .atLeast: left >= right
        case .below: left < right
        case .atMost: left <= right
        case .equal: left == right
        case .unequal: left != right
        }
    }
}
