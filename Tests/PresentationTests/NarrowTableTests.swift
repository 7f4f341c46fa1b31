import Presentation
import Testing

/// Tables where there is little room: what a row is about can still be told.
struct NarrowTableTests {
    private func table() -> Table {
        var table = Table([
            .name("Type"), .exact("Start"), .right("No longer visible"), .right("Sum", leftOut: 2),
            .left("Source", leftOut: 1), .left("Unit"),
        ])
        for (type, sum) in [("HeartRateVariabilitySDNN", "1,234.56"), ("HeartRateRecoveryOneMinute", "7")] {
            table.addRow([type, "2024-05-01 12:00:00", "12", sum, "A watch of some length", "count/min"])
        }
        return table
    }

    @Test func titlesOfNumbersGoIntoLinesFirst() {
        #expect(
            table().terminalText(maxWidth: 110) == """
                                                                 No longer
                Type                        Start                  visible       Sum  Source                  Unit
                HeartRateVariabilitySDNN    2024-05-01 12:00:00         12  1,234.56  A watch of some length  count/min
                HeartRateRecoveryOneMinute  2024-05-01 12:00:00         12         7  A watch of some length  count/min

                """)
    }

    @Test func thenTextsBecomeShorter() {
        #expect(
            table().terminalText(maxWidth: 80) == """
                                                       No longer
                Type              Start                  visible       Sum  Source     Unit
                HeartRat…itySDNN  2024-05-01 12:00:00         12  1,234.56  A watch …  count/min
                HeartRat…eMinute  2024-05-01 12:00:00         12         7  A watch …  count/min

                """)
    }

    @Test func thenColumnsAreLeftOut() {
        #expect(
            table().terminalText(maxWidth: 69) == """
                                                       No longer
                Type              Start                  visible       Sum  Unit
                HeartRat…itySDNN  2024-05-01 12:00:00         12  1,234.56  count/min
                HeartRat…eMinute  2024-05-01 12:00:00         12         7  count/min
                No room for: Source.

                """)
    }

    @Test(arguments: [10, 20, 40, 60, 80, 100]) func numbersAndDatesAreNeverCut(width: Int) {
        let lines = table().terminalText(maxWidth: width).split(separator: "\n").map(String.init)
        let rows = lines.filter { $0.contains("2024-05-01 12:00:00") }
        #expect(rows.count == 2 && rows.allSatisfy { $0.contains(" 12 ") })
        #expect(rows[0] != rows[1])
        #expect(width < 60 || rows.allSatisfy { DisplayWidth.of($0) <= width })
        if !lines.contains(where: { $0.hasPrefix("No room for") && $0.contains("Sum") }) {
            #expect(rows[0].contains("1,234.56"))
        }
    }

    /// Where titles must be cut, no more of them is cut than the room asks for.
    @Test func whatRoomIsLeftGoesToTitles() {
        var table = Table([.name("Type"), .right("Before"), .right("After"), .right("Appeared")])
        for type in ["HeartRateVariabilitySDNN", "HeartRateRecoveryOneMinute"] { table.addRow([type, "7", "12", "3"]) }
        #expect(
            table.terminalText(maxWidth: 40) == """
                Type              Before  After  Appear…
                HeartRat…itySDNN       7     12        3
                HeartRat…eMinute       7     12        3

                """)
    }

    @Test func namesAreCutInTheMiddle() {
        #expect(DisplayWidth.shortened("HeartRateVariabilitySDNN", to: 12) == "HeartR…ySDNN")
        #expect(DisplayWidth.shortened("健康健康健康", to: 7) == "健…康")
        #expect(DisplayWidth.shortened("abc", to: 3) == "abc" && DisplayWidth.shortened("abcd", to: 2) == "a…")
    }

    /// A file is no terminal and has no width, and a name of a megabyte would pad every row to a megabyte.
    @Test func cellsHaveAnUpperWidthEverywhere() {
        var table = Table([.left("Source"), .right("N")])
        table.addRow([String(repeating: "x", count: 1_000_000), "1"])
        for _ in 0..<200 { table.addRow(["Watch", "1"]) }
        let text = table.terminalText()
        #expect(text.utf8.count < 60_000 && text.contains("xxx…"))
    }
}
