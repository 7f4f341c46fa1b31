package import Basics
internal import Foundation
package import Presentation

/// In which zone and in which units people are shown times and distances.
package struct Looks: Sendable {
    package let zone: DisplayZone
    package let units: DisplayUnits

    package init(_ zone: DisplayZone? = nil, _ units: DisplayUnits = .metric) {
        let zone = zone ?? DisplayZone(.gmt)
        (self.zone, self.units) = (zone, units)
    }
}

/// A row with the answer that it is a row of.
package struct Shown<Row, Answer> {
    package let row: Row
    package let answer: Answer
    package let looks: Looks
}

/// One figure of the rows of an answer: its name, type, unit and meaning, and where it is shown.
///
/// JSON, CSV, the table for people, the JSON Schema and the reference in docs/cli.md follow from it (`Columns`).
package struct Column<Row, Answer>: Sendable {
    /// A value of a row.
    package typealias Value = @Sendable (Shown<Row, Answer>) -> (any JSONConvertible)?

    /// Where a column stands among those of CSV and of the table; JSON has the order of the definition.
    package enum Place: Sendable {
        case inOrder, last
        /// Before the column of that name.
        case before(String)
    }

    /// In which answers a column is, in words and in code.
    package struct Condition: Sendable {
        let words: String
        let holds: @Sendable (Answer) -> Bool

        package init(_ words: String, _ holds: @escaping @Sendable (Answer) -> Bool) {
            (self.words, self.holds) = (words, holds)
        }
    }

    /// How the table for people shows a row.
    struct Cell: Sendable {
        let column: @Sendable (Answer, Looks) -> Table.Column
        let text: @Sendable (Shown<Row, Answer>) -> String
        let place: Place
        /// In which tables it is; nil for all.
        let condition: (@Sendable (Answer) -> Bool)?
        let link: (@Sendable (Shown<Row, Answer>) -> Document.Link?)?
        let instant: (@Sendable (Shown<Row, Answer>) -> Int64?)?
    }

    package let name: String
    package let type: ValueType
    package let meaning: String
    /// The names of the objects that have the member in JSON, the outer one first.
    let path: [String]
    /// The column of CSV; nil where CSV has none.
    let csvName: String?
    let place: Place
    /// In which answers it is; nil for all.
    let condition: Condition?
    /// Whether the member is left out of a row that has no value; else it is `null` there.
    let isOptionalMember: Bool
    private let value: Value
    var cell: Cell?

    /// A column of JSON and CSV.
    ///
    /// - Parameters:
    ///   - path: the objects that have the member in JSON.
    ///   - csv: the name in CSV; an empty one leaves it out there.
    ///   - condition: in which answers it is; nil for all.
    ///   - orAbsent: leave the member out of rows that have no value.
    package init(
        _ name: String, _ type: ValueType, _ meaning: String, in path: [String] = [], csv: String? = nil,
        _ place: Place = .inOrder, when condition: Condition? = nil,
        orAbsent: Bool = false, _ value: @escaping Value
    ) {
        (self.name, self.type, self.meaning, self.path, self.place, self.value) = (
            name, type, meaning, path, place, value
        )
        csvName = csv == "" ? nil : csv ?? name
        self.condition = condition
        isOptionalMember = orAbsent
    }

    /// Shows it in the table for people, too.
    ///
    /// - Parameters:
    ///   - place: in the table, where that is another one than in CSV.
    ///   - condition: in which tables it is; nil for all.
    ///   - link: where a cell leads to.
    ///   - instant: Unix seconds of the instant that a cell shows.
    package func shown(
        _ column: @autoclosure @escaping @Sendable () -> Table.Column, _ place: Place? = nil,
        when condition: (@Sendable (Answer) -> Bool)? = nil,
        link: (@Sendable (Shown<Row, Answer>) -> Document.Link?)? = nil,
        instant: (@Sendable (Shown<Row, Answer>) -> Int64?)? = nil,
        _ text: @escaping @Sendable (Shown<Row, Answer>) -> String
    ) -> Column {
        shown(under: { _, _ in column() }, place, when: condition, link: link, instant: instant, text)
    }

    /// Shows it under a heading that depends on the answer.
    package func shown(
        under column: @escaping @Sendable (Answer, Looks) -> Table.Column, _ place: Place? = nil,
        when condition: (@Sendable (Answer) -> Bool)? = nil,
        link: (@Sendable (Shown<Row, Answer>) -> Document.Link?)? = nil,
        instant: (@Sendable (Shown<Row, Answer>) -> Int64?)? = nil,
        _ text: @escaping @Sendable (Shown<Row, Answer>) -> String
    ) -> Column {
        var shown = self
        shown.cell = Cell(
            column: column, text: text, place: place ?? self.place, condition: condition, link: link, instant: instant)
        return shown
    }

    /// Whether every row of every answer has the member.
    var isAlwaysThere: Bool { condition == nil && !isOptionalMember }

    /// The same of rows that have such a row; for columns that are in every answer.
    func of<Outer>(_ inner: @escaping @Sendable (Outer) -> Row) -> Column<Outer, Answer> {
        Column<Outer, Answer>(name, type, meaning, in: path, csv: csvName ?? "", orAbsent: isOptionalMember) {
            self.value(Shown(row: inner($0.row), answer: $0.answer, looks: $0.looks))
        }
    }

    func isIn(_ answer: Answer) -> Bool { condition?.holds(answer) ?? true }

    func json(_ shown: Shown<Row, Answer>) -> JSON { type.json(value(shown)) }
}
