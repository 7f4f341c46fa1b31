import Presentation
import Testing

/// One document, three renderers: the same content in each, and harmless in each.
@Suite("Documents")
struct DocumentTests {
    private static let hostile = "<script>\u{1B}[2J|x"

    private var document: Document {
        var table = Table([.name("Type"), .right("Records")])
        table.addRow(["Steps", "2"], anchor: "type-1")
        table.remark = "1 of 2 types shown."
        var document = Document(title: "Findings")
        document.paragraph("A sentence.")
        document.facts([("File", Self.hostile.quoted), ("Locale", nil)])
        document.append(
            .figures([.init(2, "record", "appeared", meaning: "visible after, not before", share: 0.5)]),
            .heading("Steps", anchor: "type-1"), .table(table), .labels(["new"]),
            .charts([
                Chart(
                    "Counts", "Two points.", .line([.init(0, "1970-01-01", 1), .init(86_400, "1970-01-02", 2)]),
                    table: table)
            ]), .sides([.init("Before", [.init("Size", "1")]), .init("After", [.init("Size", nil)])]),
            .folded("More", [.list([.init("item", marker: "+", note: "why")])]),
            .queries([.init("Counted", "SELECT 1")]))
        return document
    }

    @Test func terminal() {
        #expect(
            TerminalRenderer().text(document) == """
                Findings
                A sentence.
                  File  <script>\\u{001B}[2J|x
                  2 records appeared: visible after, not before

                Steps
                  Type   Records
                  Steps        2
                  1 of 2 types shown.
                  new

                Counts
                  Type   Records
                  Steps        2
                  1 of 2 types shown.

                Before
                  Size  1

                After

                More
                  + item  (why)

                """)
    }

    @Test func markdown() {
        let text = MarkdownRenderer.text(document)
        #expect(
            text.hasPrefix(
                "# Findings\n\nA sentence.\n\n- File: \\<script\\>\\\\u\\{001B\\}\\[2J\\|x\n\n- 2 records appeared"))
        #expect(text.contains("## Steps\n\n| Type | Records |\n| --- | --- |\n| Steps | 2 |\n\n1 of 2 types shown.\n"))
        #expect(text.contains("### Counts\n\n| Type | Records |"))
        #expect(text.contains("|  | Before | After |\n| --- | --- | --- |\n| Size | 1 | - |\n"))
        #expect(text.contains("More\n\n- \\+ item \\(why\\)\n"))
        #expect(!text.contains("SELECT"))
    }

    @Test(arguments: [
        ("- a", "\\- a"), ("1. a", "1\\. a"), ("10.5 a", "10\\.5 a"), ("---", "\\---"), ("    a", "&#32;   a"),
        ("see https://x.example", "see https\\://x.example"), ("WWW.x.example", "WWW\\.x.example"),
        ("a@x.example", "a\\@x.example"), ("12:30", "12:30"),
    ])
    func markdownOfAnExportNeitherFormatsNorLinks(_ text: String, _ expected: String) {
        #expect(MarkdownRenderer.text(Document([.paragraph(text)])) == expected + "\n")
        #expect(MarkdownRenderer.text(Document([.list([.init(text)])])) == "- \(expected)\n")
    }

    @Test func page() {
        let text = PageRenderer.text(document, title: "Tab")
        #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\"><head>"))
        #expect(text.contains("<title>Tab</title>") && text.contains("<h1>Findings</h1>"))
        #expect(text.contains("<dt>File</dt><dd><bdi>&lt;script&gt;\u{FFFD}[2J|x</bdi></dd>"))
        #expect(
            text.contains(
                "<td><a href=\"#type-1\"><bdi>Steps</bdi></a></td><td class=\"n\" data-title=\"Records\">2</td>"
            ))
        #expect(text.contains("<h2 id=\"type-1\">") && text.contains("width:50%"))
        #expect(text.contains("aria-label=\"Counts. Two points.\"") && text.contains("class=\"line first\""))
        #expect(text.contains("<pre>SELECT 1</pre>") && text.contains("<summary>More</summary>"))
    }

    /// What is quoted is isolated, and cannot end its isolation or begin another one.
    @Test func whatIsQuotedOfAnExportIsIsolated() {
        let document = Document([
            .paragraph("\("a\u{2069}<b>".quoted) of \("c".quoted)."), .list([.init("from \("x".quoted)")]),
            .paragraph("x\u{2068}open"), .paragraph("y\u{2069}closed"),
        ])
        let page = HTML(PageRenderer(.site { _ in nil }).html(document)).text
        #expect(
            page.contains("<p><bdi>a&lt;b&gt;</bdi> of <bdi>c</bdi>.</p>")
                && page.contains("<li>from <bdi>x</bdi></li>"))
        #expect(page.contains("<p>x<bdi>open</bdi></p>") && page.contains("<p>y\u{FFFD}closed</p>"))
        #expect(TerminalRenderer().text(document).hasPrefix("a<b> of c.\n  from x\n"))
        #expect(MarkdownRenderer.text(document).hasPrefix("a\\<b\\> of c.\n"))
    }

    /// What nobody sees could hide a name in another; emoji and some scripts need the joiners.
    @Test(arguments: [
        ("a\u{200B}b", "a\u{FFFD}b"), ("a\u{2060}b", "a\u{FFFD}b"), ("a\u{E0041}b", "a\u{FFFD}b"),
        ("\u{1F469}\u{200D}\u{1F4BB}", "\u{1F469}\u{200D}\u{1F4BB}"),
    ])
    func invisibleCharacters(_ text: String, _ expected: String) {
        let page = HTML(PageRenderer(.site { _ in nil }).html(Document([.paragraph(text)]))).text
        #expect(page.contains("<p>\(expected)</p>"))
    }

    /// A table at the head of a document has no margin: it is all there is.
    @Test func tableAtTheHead() {
        var table = Table([.left("A")])
        table.addRow(["1"])
        #expect(TerminalRenderer().text(Document([.title("T"), .table(table)])) == "T\nA\n1\n")
        #expect(TerminalRenderer().text(Document([.paragraph("T"), .table(table)])) == "T\n  A\n  1\n")
    }

    @Test func narrowPagesNameTheColumnOfACell() {
        var table = Table([.name("Type"), .right("Records"), .left("Source")])
        table.addRow(["HeartRate", "7", "<Watch>"])
        let page = PageRenderer.text(Document([.table(table)]), title: "")
        #expect(page.contains(#"<td><bdi>HeartRate</bdi></td><td class="n" data-title="Records">7</td>"#))
        #expect(page.contains(#"<td data-title="Source"><bdi>&lt;Watch&gt;</bdi></td>"#))
    }

    /// Where instants are shown, a site says them in UTC, too; a file is as it was.
    @Test func sitesSayInstantsInUTC() {
        var table = Table([.exact("At"), .exact("End")])
        table.addRow(["2024-05-01 02:00:00", ""], links: [0: .init("show")], instants: [0: 1_714_521_600, 1: 0])
        let page = HTML(PageRenderer(.site { _ in "/show" }).html(Document([.table(table)]))).text
        #expect(page.contains(#"<time datetime="2024-05-01T00:00:00.000Z"><a href="/show">"#))
        #expect(page.contains("</a></time>") && page.matches(of: /<time/).count == 1)
        #expect(!PageRenderer.text(Document([.table(table)]), title: "").contains("<time"))
    }

    @Test func linesBreakNeitherInDatesNorAnywhereInIdentifiers() {
        let name = "HKQuantityTypeIdentifierHeartRate"
        let page = PageRenderer.text(Document([.paragraph("On 2024-05-01, \(name) < 3.")]), title: "")
        #expect(
            page.contains(
                "<p>On <span class=\"whole\">2024-05-01,</span> HKQuantity<wbr>Type<wbr>Identifier<wbr>Heart<wbr>Rate &lt; 3.</p>"
            ))
    }
}
