import Basics
import Testing

/// Rows of contract JSON, and the cells of CSV made from them.
@Suite("Rows")
struct RowTests {
    private let missing: Int64? = nil

    @Test func membersKeepTheirOrder() {
        let row = JSON.row(["b": 1, "a": "text", "none": missing, "list": ["x", "y"], "flag": true, "half": 0.5])
        #expect(row.line == #"{"b":1,"a":"text","none":null,"list":["x","y"],"flag":true,"half":0.5}"#)
        #expect(row.adding(["c": JSON.row(["d": nil])]).line.hasSuffix(#","half":0.5,"c":{"d":null}}"#))
        #expect(JSON.line("diff", ["x": 1]).line == #"{"schema":"healthprobe.diff/1","x":1}"#)
        #expect(JSON.instant(Int64(0)).line == #""1970-01-01T00:00:00.000Z""# && JSON.instant(missing) == .null)
    }

    @Test func membersWithoutBraces() {
        let out = ByteBuffer()
        out.append(membersOf: .row(["a": 1, "b": "x"]))
        #expect(out.text == #""a":1,"b":"x""#)
    }

    @Test func cells() {
        let row = JSON.row([
            "text": "=1", "number": -4.5, "whole": 3, "none": missing, "nan": Double.nan, "names": ["a", "b"],
            "object": JSON.row(["k": 1]), "objects": [JSON.row(["k": 1])], "flag": false,
        ])
        let columns = ["text", "number", "whole", "none", "nan", "names", "object", "objects", "flag", "lacking"]
        var writer = CSVWriter(guardsFormulas: true)
        writer.append(row, columns, forTerminal: false)
        #expect(writer.out.text == "'=1,-4.5,3,,,\"a, b\",\"{\"\"k\"\":1}\",\"[{\"\"k\"\":1}]\",false,\r\n")
        var shown = CSVWriter(guardsFormulas: true)
        shown.append(.row(["text": "\u{1B}x"]), ["text"], forTerminal: true)
        #expect(shown.out.text == "\\u{001B}x\r\n")
    }
}
