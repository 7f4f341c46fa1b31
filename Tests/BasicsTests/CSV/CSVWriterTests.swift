import Basics
import Testing

struct CSVWriterTests {
    @Test(arguments: [
        (["a", "b"], "a,b\r\n"), ([""], "\"\"\r\n"), (["", ""], ",\r\n"),
        (["a,b", "c\"d", "e\nf"], "\"a,b\",\"c\"\"d\",\"e\nf\"\r\n"),
        (["é 健"], "é 健\r\n"), (["=1+1"], "=1+1\r\n"),
    ])
    func rows(cells: [String], expected: String) {
        var writer = CSVWriter(guardsFormulas: false)
        writer.appendRow(cells)
        #expect(writer.out.text == expected)
        #expect(writer.guardedCellCount == 0)
    }

    @Test(arguments: [
        "=1+1", "+cmd", "+02:0a", "-cmd", "@SUM(A1)", "\t=1", "\r=1", "\0=1", "＝1", "＋1", "－1", "＠1", "-", "+", "-1+2",
        "+1e",
        "-1.", "-1,5", "-0x1", "=\u{301}1", "-1e999", "'=1", "''=1", "'-4.2",
    ])
    func formulasAreGuarded(cell: String) {
        var writer = CSVWriter(guardsFormulas: true)
        writer.appendRow(["x", cell])
        #expect(writer.guardedCellCount == 1)
        #expect(writer.out.text.contains("'"))
    }

    @Test(arguments: ["-4.2", "+7", "+02:00", "-05:30", "-1e-05", "12", "-0", "abc", "a=b", "'x", "", "2024-05-01"])
    func numbersAndTextAreNot(cell: String) {
        var writer = CSVWriter(guardsFormulas: true)
        writer.appendRow(["x", cell])
        #expect(writer.guardedCellCount == 0)
        #expect(writer.out.text == "x,\(cell)\r\n")
    }

    @Test func theApostropheStandsInsideTheQuotes() {
        var writer = CSVWriter(guardsFormulas: true)
        writer.appendRow(["=HYPERLINK(\"x\",A1)"])
        #expect(writer.out.text == "\"'=HYPERLINK(\"\"x\"\",A1)\"\r\n")
        writer.removeAll()
        #expect(writer.bytes.isEmpty)
        #expect(writer.guardedCellCount == 1)
    }
}
