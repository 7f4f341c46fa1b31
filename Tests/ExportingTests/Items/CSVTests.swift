@testable internal import Exporting
internal import TestSupport
internal import Testing
internal import TextFormats

/// CSV gives every item back, guarded or not, and a guarded cell never begins a formula.
@Suite struct CSVTests {
    private static let texts = [
        "", "plain", "=1+1", "+1", "-1", "-1.5e3", "-x", "@SUM(A1)", "\tTab", "\rReturn", "'=1", "''=1", "'-4.2",
        "'plain",
        "\"quoted\"", "\"", "a,b", "line\nbreak", "\u{FF1D}1", "'\u{FF1D}1", "名", "\u{202E}abc", "null", "{}", "'",
        "\u{0}zero", "=HYPERLINK(\"http://x\",\"y\")",
    ]

    private func roundTrip(_ members: [(String, JSON)], guarded: Bool) throws -> (
        row: String, item: String, wanted: String
    ) {
        let item = ByteBuffer()
        item.append(.object(members), .canonical)
        var rows = CSVRows(ExportColumn.all(.diff), guardsFormulas: guarded)
        let out = ByteBuffer()
        rows.append(item.view, to: out)
        let reader = CSVItems(ExportColumn.all(.diff).map { ($0.name, $0.kind) }, isGuarded: guarded)
        let read = try reader.item(out.view[0..<out.count - 1])
        return (out.text, read.string, item.text)
    }

    private func item(_ text: String) -> [(String, JSON)] {
        ExportColumn.all(.diff).compactMap { column in
            switch column.kind {
            case .text: (column.name, .string(text))
            case .integer: (column.name, .int(-3))
            case .json: (column.name, text.isEmpty ? .null : .object([(text, .string(text))]))
            case .optional: text.utf8.count % 2 == 0 ? nil : (column.name, .array([.string(text)]))
            }
        }
    }

    @Test(arguments: texts, [true, false])
    func everyTextComesBack(_ text: String, _ guarded: Bool) throws {
        let trip = try roundTrip(item(text), guarded: guarded)
        #expect(trip.item == trip.wanted)
    }

    @Test(arguments: texts)
    func noGuardedCellBeginsAFormula(_ text: String) throws {
        let trip = try roundTrip([("source", .string(text))], guarded: true)
        let cell = trip.row.split(separator: ",", omittingEmptySubsequences: false)[8].drop { $0 == "\"" }
        let isNumber = CanonicalJSONNumber.isNumber(text)
        #expect(isNumber || !["=", "+", "-", "@", "\t", "\r", "\u{FF1D}"].contains { cell.hasPrefix($0) }, "\(cell)")
    }

    @Test func randomTextsComeBack() throws {
        var generator = SeededGenerator(seed: 3)
        let alphabet = Array("'\"=+-@,\r\n\t a1{}[]:\u{FF1D}\u{0}名".unicodeScalars)
        for _ in 0..<3000 {
            var text = ""
            for _ in 0..<(generator.next() % 7) {
                text.unicodeScalars.append(alphabet[Int(generator.next() % UInt64(alphabet.count))])
            }
            let trip = try roundTrip(item(text), guarded: generator.next() % 2 == 0)
            #expect(trip.item == trip.wanted, "\(text.debugDescription)")
        }
    }

    private enum CanonicalJSONNumber {
        static func isNumber(_ text: String) -> Bool {
            text.withByteView { CanonicalNumber($0) != nil }
        }
    }
}
