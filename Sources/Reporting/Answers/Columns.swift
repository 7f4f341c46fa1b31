package import Basics
package import Presentation

/// The columns of the rows of an answer, in the order of JSON, and the forms that follow from them.
package struct Columns<Row, Answer>: Sendable {
    package typealias Element = Column<Row, Answer>

    /// Collects columns one after the other, which a compiler checks faster than a long list.
    @resultBuilder package enum Builder {
        package static func buildExpression(_ column: Element) -> [Element] { [column] }
        package static func buildExpression(_ columns: [Element]) -> [Element] { columns }
        package static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }
    }

    /// A member of JSON: a column, or an object of members.
    private indirect enum Member: Sendable {
        case column(Element)
        case object(String, [Member])
    }

    /// The name of the answer in the member `schema`; nil for rows that have none.
    package let schema: String?
    package let all: [Element]
    private let members: [Member]
    private let csv: [Element]
    private let cells: [(column: Element, cell: Element.Cell)]

    package init(_ schema: String?, @Builder _ columns: () -> [Element]) {
        self.schema = schema
        all = columns()
        members = Self.members(all[...], depth: 0)
        csv = Self.ordered(all.filter { $0.csvName != nil }, \.place, named: \.name)
        cells = Self.ordered(
            all.compactMap { column in column.cell.map { (column, $0) } }, \.cell.place, named: \.column.name)
    }

    private static func members(_ columns: ArraySlice<Element>, depth: Int) -> [Member] {
        var members: [Member] = []
        var rest = columns
        while let first = rest.first {
            guard first.path.count > depth else {
                members.append(.column(first))
                rest = rest.dropFirst()
                continue
            }
            let name = first.path[depth]
            let inside = rest.prefix { $0.path.count > depth && $0.path[depth] == name }
            members.append(.object(name, Self.members(inside, depth: depth + 1)))
            rest = rest.dropFirst(inside.count)
        }
        return members
    }

    /// Columns in the places that they ask for.
    private static func ordered<Placed>(
        _ columns: [Placed], _ place: (Placed) -> Element.Place, named name: (Placed) -> String
    ) -> [Placed] {
        var ordered: [Placed] = []
        var last: [Placed] = []
        var early: [(name: String, column: Placed)] = []
        for column in columns {
            switch place(column) {
            case .inOrder: ordered.append(column)
            case .last: last.append(column)
            case .before(let other): early.append((other, column))
            }
        }
        for (other, column) in early {
            ordered.insert(column, at: ordered.firstIndex { name($0) == other } ?? ordered.endIndex)
        }
        return ordered + last
    }

    /// A row as an object of JSON.
    package func json(_ row: Row, of answer: Answer) -> JSON {
        let head: [(String, JSON)] = schema.map { [("schema", .string("healthprobe.\($0)/1"))] } ?? []
        return .object(head + Self.object(members, Shown(row: row, answer: answer, looks: Looks())))
    }

    private static func object(_ members: [Member], _ shown: Shown<Row, Answer>) -> [(String, JSON)] {
        var object: [(String, JSON)] = []
        object.reserveCapacity(members.count)
        for member in members {
            switch member {
            case .column(let column):
                guard column.isIn(shown.answer) else { continue }
                let value = column.json(shown)
                if column.isOptionalMember, case .null = value { continue }
                object.append((column.name, value))
            case .object(let name, let members):
                let inside = Self.object(members, shown)
                if !inside.isEmpty { object.append((name, .object(inside))) }
            }
        }
        return object
    }

    /// Rows as lines of JSON, and a line for the next page where there is one.
    package func lines(_ rows: some Sequence<Row>, of answer: Answer, next: String? = nil) -> [UInt8] {
        let out = ByteBuffer()
        for row in rows { out.append(line: json(row, of: answer)) }
        if let next { out.append(line: .row(["next": next])) }
        return out.view.array
    }

    /// Rows as CSV.
    ///
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(
        _ rows: some Sequence<Row>, of answer: Answer, forTerminal: Bool, withHeading: Bool = true
    ) -> [UInt8] {
        let columns = csv.filter { $0.isIn(answer) }
        let names = columns.compactMap(\.csvName)
        var writer = CSVWriter(guardsFormulas: true)
        if withHeading { writer.appendRow(names) }
        for row in rows {
            let shown = Shown(row: row, answer: answer, looks: Looks())
            let cells = zip(names, columns).map { ($0, $1.json(shown)) }
            writer.append(.object(cells), names, forTerminal: forTerminal)
        }
        return writer.bytes
    }

    /// Rows as a table for people.
    package func table(_ rows: some Sequence<Row>, of answer: Answer, _ looks: Looks = Looks()) -> Table {
        let cells = cells.filter { $0.column.isIn(answer) && $0.cell.condition?(answer) ?? true }.map(\.cell)
        var table = Table(cells.map { $0.column(answer, looks) })
        for row in rows {
            let shown = Shown(row: row, answer: answer, looks: looks)
            var links: [Int: Document.Link] = [:]
            var instants: [Int: Int64] = [:]
            for (index, cell) in cells.enumerated() {
                links[index] = cell.link?(shown)
                instants[index] = cell.instant?(shown)
            }
            table.addRow(cells.map { $0.text(shown) }, links: links, instants: instants)
        }
        return table
    }
}

extension Columns {
    /// The JSON Schema of a row.
    package var rowSchema: JSON {
        let head: [(String, JSON)] = schema.map { [("schema", ["const": .string("healthprobe.\($0)/1")])] } ?? []
        return Self.schema(head, members)
    }

    private static func schema(_ head: [(String, JSON)], _ members: [Member]) -> JSON {
        // An object of conditional members alone is there with all of them.
        let isWhole = !isUnconditional(members)
        var properties = head
        var required = head.map(\.0)
        for member in members {
            switch member {
            case .column(let column):
                let words = [column.meaning, column.type.unit.map { "Unit: \($0)." }].compactMap(\.self)
                    .joined(separator: " ")
                properties.append(
                    (column.name, .object(column.type.schema.members + [("description", .string(words))])))
                if isWhole || column.isAlwaysThere { required.append(column.name) }
            case .object(let name, let members):
                properties.append((name, schema([], members)))
                if isWhole || isUnconditional(members) { required.append(name) }
            }
        }
        return [
            "type": "object", "additionalProperties": false, "required": .array(required.map { .string($0) }),
            "properties": .object(properties),
        ]
    }

    private static func isUnconditional(_ members: [Member]) -> Bool {
        members.contains { member in
            switch member {
            case .column(let column): column.isAlwaysThere
            case .object(_, let members): isUnconditional(members)
            }
        }
    }

    /// The schema's definitions: what is long, once.
    package var definitions: [(String, JSON)] {
        var names: Set<String> = []
        return all.flatMap(\.type.definitions).filter { names.insert($0.name).inserted }
            .sorted { $0.name < $1.name }
    }

    /// The list in docs/cli.md: member, type with unit, the column of CSV if it has another name, meaning.
    package func reference(withCSV: Bool) -> [String] {
        all.map { column in
            let name = (column.path + [column.name]).joined(separator: ".")
            let type =
                column.type.name + (column.type.unit.map { ", \($0)" } ?? "")
                + (column.type.isOptional ? " or null" : "")
            let csv =
                !withCSV || column.csvName == column.name
                ? "" : column.csvName.map { ", CSV `\($0)`" } ?? ", not in CSV"
            let condition =
                (column.condition?.words ?? (column.isOptionalMember ? "where there is one" : nil)).map { " (\($0))" }
                ?? ""
            return "- `\(name)` (\(type)\(csv)): \(column.meaning)\(condition)"
        }
    }
}
