import Presentation
import Testing

struct TableTests {
    @Test func alignsColumns() {
        var table = Table([.left("Type"), .right("Records")])
        table.addRow(["HeartRate", "1,234,567"])
        table.addRow(["StepCount", "8"])
        #expect(
            table.terminalText() == """
                Type         Records
                HeartRate  1,234,567
                StepCount          8

                """)
    }

    @Test func wideAndCombiningCharactersKeepTheColumnsStraight() {
        var table = Table([.left("Source"), .right("N")])
        table.addRow(["健康", "1"])
        table.addRow(["e\u{301}te\u{301}", "2"])
        table.addRow(["👩🏽 ok", "3"])
        #expect(table.terminalText() == "Source  N\n健康    1\ne\u{301}te\u{301}     2\n👩🏽 ok   3\n")
    }

    @Test func shrinksTextBeforeNumbersAndNeverExceedsTheWidth() {
        var table = Table([.left("Type"), .left("Source"), .right("Records")])
        table.addRow(["HeartRateVariabilitySDNN", "A very long name of a watch", "1,234,567"])
        let text = table.terminalText(maxWidth: 40)
        #expect(
            text == """
                Type           Source            Records
                HeartRateVar…  A very long n…  1,234,567

                """)
        #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= 40 })
    }

    @Test func limitsAColumn() {
        var table = Table([.left("Id", maxWidth: 6), .left("Name")])
        table.addRow(["0123456789abcdef", "x"])
        #expect(table.terminalText(header: false) == "01234…  x\n")
    }

    @Test func indents() {
        var table = Table([.left("Type"), .right("N")])
        table.addRow(["Steps", "2"])
        table.addRow(["Other"])
        #expect(table.terminalText(indent: 2) == "  Type   N\n  Steps  2\n  Other\n")
    }

    @Test func hostileCellsCannotReachTheTerminal() {
        var table = Table([.left("\u{1B}[2J")])
        table.addRow(["\u{9B}31m\nsecond line"])
        let text = table.terminalText(style: Style(isEnabled: false))
        #expect(text == "\\u{001B}[2J\n\\u{009B}31m\\u{000A}second line\n")
    }

    @Test func emphasisIsOutsideTheWidth() {
        var table = Table([.left("A"), .right("B")])
        table.addRow(["long", "1"], dim: true)
        #expect(
            table.terminalText(style: Style(isEnabled: true))
                == "\u{1B}[1mA     B\u{1B}[0m\n\u{1B}[2mlong  1\u{1B}[0m\n")
    }

    @Test(arguments: [
        ("", 0), ("abc", 3), ("健康", 4), ("e\u{301}", 1), ("😀", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("🇫🇷", 2), ("한글", 4),
        ("ｶ", 1), ("Ａ", 2), ("…", 1), ("Здоровье", 8), ("צליל", 4), ("क्षि", 1),
    ])
    func displayWidth(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 4, "abc…"), ("健康健康", 5, "健康…"), ("健康健康", 4, "健…"), ("abc", 1, "…"),
        ("abc", 0, ""),
    ])
    func truncation(text: String, width: Int, expected: String) {
        #expect(DisplayWidth.truncated(text, to: width) == expected)
    }

    @Test func styleHonoursTheEnvironment() {
        #expect(Style.forOutput(isTerminal: true, environment: [:]).isEnabled)
        #expect(Style.forOutput(isTerminal: true, environment: ["NO_COLOR": ""]).isEnabled)
        #expect(!Style.forOutput(isTerminal: true, environment: ["NO_COLOR": "1"]).isEnabled)
        #expect(!Style.forOutput(isTerminal: true, environment: ["TERM": "dumb"]).isEnabled)
        #expect(!Style.forOutput(isTerminal: false, environment: [:]).isEnabled)
        #expect(Style(isEnabled: true).dim("x") == "\u{1B}[2mx\u{1B}[0m")
        #expect(Style.plain.bold("x") == "x")
    }
}
