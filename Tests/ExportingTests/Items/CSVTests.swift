internal import Basics
@testable internal import Exporting
internal import Testing
internal import TestSupport

/// A cell of CSV has the text of its member, and never begins a formula.
@Suite struct CSVTests {
    private static let texts = [
        "", "plain", "=1+1", "+1", "-1", "-1.5e3", "-x", "@SUM(A1)", "\tTab", "\rReturn", "'=1", "''=1", "'-4.2",
        "'plain", "\"quoted\"", "\"", "a,b", "line\nbreak", "\u{FF1D}1", "'\u{FF1D}1", "名", "\u{202E}abc", "null", "{}",
        "'", "\u{0}zero", "=HYPERLINK(\"http://x\",\"y\")",
    ]

    private func row(_ members: [(String, JSON)]) -> String {
        let item = ByteBuffer()
        item.append(.object(members), .canonical)
        var rows = CSVRows(ExportColumn.all(.diff))
        let out = ByteBuffer()
        rows.append(item.view, to: out)
        return out.text
    }

    @Test(arguments: texts)
    func noCellBeginsAFormula(_ text: String) throws {
        let cell = row([("source", .string(text))]).split(separator: ",", omittingEmptySubsequences: false)[8]
            .drop { $0 == "\"" }
        let isNumber = text.withByteView { CanonicalNumber($0) != nil }
        #expect(isNumber || !["=", "+", "-", "@", "\t", "\r", "\u{FF1D}"].contains { cell.hasPrefix($0) }, "\(cell)")
    }

    @Test(arguments: ["plain", "a,b", "\"quoted\"", "line\nbreak", "名"])
    func aCellHasTheTextOfItsMember(_ text: String) {
        let quoted = "\"" + text.replacing("\"", with: "\"\"") + "\""
        let cells = row([("source", .string(text))])
        #expect(cells.contains(",\(["plain", "名"].contains(text) ? text : quoted),"))
    }

    @Test func otherMembersAreJSON() {
        let cells = row([("device", .object([("name", "x")])), ("ordinal", 3), ("unit", .null)])
        #expect(cells.contains(#","{""name"":""x""}","#) && cells.contains(",3,"))
        #expect(cells.hasSuffix("\r\n"))
    }
}
