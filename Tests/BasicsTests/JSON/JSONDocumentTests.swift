import Basics
import Testing

/// Files of JSON by other programs: white space is free, and what is wrong has a line and a column.
struct JSONDocumentTests {
    @Test func whiteSpaceIsFree() throws {
        let json = try JSON.document(
            Array(" {\r\n\t\"b\" : [ 1 , -2.5e1 , [ ] , { } ] ,\n \"a\":\"\\u00e9\u{1F600}\" } \n".utf8))
        #expect(json.line == "{\"b\":[1,-25,[],{}],\"a\":\"\u{E9}\u{1F600}\"}")
    }

    @Test(
        arguments: [
            ("", 1, 1), ("{", 1, 2), ("{\n  \"a\": 1,\n}", 3, 1), ("[1 2]", 1, 4), ("{\"a\" 1}", 1, 6), ("[01]", 1, 4),
            ("\"\u{E9}\u{E9}\n\"", 1, 4), ("[\"\\x\"]", 1, 2), ("[1]x", 1, 4),
            ("nul", 1, 1),
            ("[[[[]]]]", 1, 4), ("{'a':1}", 1, 2), (" ", 1, 2), ("[1,]", 1, 4), ("{\"a\":1,}", 1, 8), ("\u{A0}1", 1, 1),
        ])
    func errorsHaveTheirPlace(text: String, line: Int, column: Int) {
        #expect(throws: JSONSyntaxError(line: line, column: column)) {
            try JSON.document(Array(text.utf8), maximumDepth: 3)
        }
    }

    @Test func bytesThatAreNoUTF8HaveTheirPlace() {
        #expect(throws: JSONSyntaxError(line: 2, column: 3)) {
            try JSON.document([0x5B, 0x0A, 0x20, 0x22, 0xFF, 0x22, 0x5D])
        }
    }

    @Test func storedJSONStillHasNoWhiteSpace() { #expect(JSON.parse("[1, 2]") == nil) }
}
