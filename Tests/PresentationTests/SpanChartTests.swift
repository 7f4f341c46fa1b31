import Foundation
import Presentation
import Testing

/// Charts of spans of time and matrices, as pages draw them.
@Suite("Charts of spans")
struct SpanChartTests {
    private func page(_ drawing: Chart.Drawing) -> String {
        let chart = Chart("Steps", "A sentence.", drawing, table: Table([]))
        return HTML(PageRenderer(.site { _ in nil }).html(Document([.charts([chart])]))).text
    }

    @Test func aLineIsBrokenWhereNothingWasRecorded() {
        let spans = [0, 1, 2, 3, 5].map { Chart.Span($0 * 86_400, ($0 + 1) * 86_400, "day \($0)", Double($0) + 1) }
        let text = page(.spans([.init("Watch", spans), .init("all", spans, .total)]))
        let paths = text.matches(of: /class="line[^"]*" d="([^"]*)"/).map { String($0.output.1) }
        #expect(paths.count == 2)
        // The first four days are joined; the sixth begins anew.
        #expect(paths.allSatisfy { $0.filter { $0 == "M" }.count == 2 && $0.filter { $0 == "L" }.count == 3 })
        #expect(text.contains("class=\"line total\"") && text.contains("aria-label=\"Steps. A sentence.\""))
    }

    @Test func everyLineOfSeveralIsInTheKey() throws {
        let span = [Chart.Span(0, 86_400, "day", 1)]
        let long = String(repeating: "Watch of somebody ", count: 5)
        let text = page(
            .spans([
                .init("all sources", span, .total), .init("Phone", span), .init(long, span), .init("Ring", span),
                .init("Scale", span),
            ]))
        let key = try #require(text.firstMatch(of: /<p class="key">(.*?)<\/p>/)).output.1
        let names = key.matches(of: /<span class="([a-z]+)">([^<]*)</).map { "\($0.output.1) \($0.output.2)" }
        #expect(
            names == [
                "first Phone", "second \(long.prefix(43))…", "third Ring", "fourth ··· Scale", "total - - all sources",
            ])
        #expect(!page(.spans([.init("Phone", span)])).contains("class=\"key\""))
    }

    @Test func aBandSpansFromTheSmallestToTheLargest() {
        let span = Chart.Span(0, 86_400, "day", 62, range: 54...70)
        #expect(page(.spans([.init("Watch", [span])])).contains("class=\"bar band first\""))
    }

    @Test(arguments: [
        (0.0005, ["0", "0.0002", "0.0004"]), (12.0, ["0", "5", "10"]), (40_000.0, ["0", "10k", "20k", "30k", "40k"]),
        (3e18, ["0", "1e+18", "2e+18", "3e+18"]),
    ])
    func anAxisNamesEachOfItsNumbers(_ value: Double, _ labels: [String]) {
        let text = page(.spans([.init("Watch", [.init(0, 86_400, "day", value)], .bars)]))
        let named = text.matches(of: /<text[^>]*text-anchor="end"[^>]*>([^<]*)</).map { String($0.output.1) }
        #expect(named.filter { $0 != "day" } == labels)
    }

    @Test func whatHardlyDiffersIsDrawnCloseTogether() {
        func ends(_ values: [Double]) -> [Double] {
            let marks = values.enumerated().map { Chart.Mark(Double($0), Double($0), $1) }
            let text = page(.readings([.init("before", marks)], isPace: true))
            return text.matches(of: /M[0-9.]+ ([0-9.]+)h/).compactMap { Double($0.output.1) }
        }
        let (close, far) = (ends([4.97, 4.98]), ends([4, 6]))
        #expect(close.count == 2 && far.count == 2)
        #expect(abs(close[0] - close[1]) * 10 < abs(far[0] - far[1]))
    }

    @Test func fewValuesAreDotsAroundALineOfTheirMeans() {
        let spans = [0, 5, 9, 20].map { Chart.Span($0 * 86_400, ($0 + 1) * 86_400, "day \($0)", Double($0) + 1) }
        let text = page(.spans([.init("Scale", spans)]))
        #expect(text.contains("class=\"points first\"") && text.contains("class=\"line base first\""))
    }

    @Test func aColumnSaysItsValueAndLeadsToItsInterval() {
        var chart = Chart(
            "Steps", "A sentence.",
            .spans([
                .init("Watch", [.init(0, 86_400, "1970-01-01", 12_345), .init(86_400, 90_000, "1970-01-02", 2)], .bars)
            ]))
        (chart.unit, chart.entry) = ("steps", .init("type", ["type": "StepCount", "since": "1969-01-01"]))
        let renderer = PageRenderer(
            .site { link in "/\(link.command)?" + link.options.map { "\($0.name)=\($0.value)" }.joined(separator: "&") }
        )
        let text = HTML(renderer.html(Document([.charts([chart])]))).text
        #expect(text.contains("<title>1970-01-01: 12,345 steps</title>"))
        #expect(text.contains("href=\"/type?type=StepCount&amp;since=1970-01-01&amp;until=1970-01-01\""))
        #expect(text.contains("since=1970-01-02T00:00:00.000Z&amp;until=1970-01-02T01:00:00.000Z"))
        #expect(text.contains("data-base=\"/type?type=StepCount&amp;since=1969-01-01\""))
    }

    @Test func hostileNumbersDrawNothingOutside() {
        let span = Chart.Span(0, 86_400, "day", .infinity, range: -.infinity ... .infinity)
        let text = page(.spans([.init("Watch", [span])]))
        #expect(!text.contains("inf") && !text.contains("nan"))
    }

    @Test func anOutlineHasOneScaleAndNoMoreThanCanBeSeen() throws {
        let circle = (0...4000).map { step in
            let angle = Double(step) / 4000 * 2 * .pi
            return Chart.Place(x: 1000 * cos(angle) + 5e6, y: 1000 * sin(angle))
        }
        let text = page(.outline([circle, [Chart.Place(x: 5e6, y: 0), Chart.Place(x: 5e6 + 1, y: 0)]]))
        let path = String(try #require(text.firstMatch(of: /class="line" d="([^"]*)"/)).output.1)
        let pixels = path.matches(of: /[ML]([0-9.]+) ([0-9.]+)/).map { ($0.output.1, $0.output.2) }
        #expect(path.filter { $0 == "M" }.count == 2 && (500...1200).contains(pixels.count))
        let (x, y) = (pixels.compactMap { Double($0.0) }, pixels.compactMap { Double($0.1) })
        let (width, height) = try ((#require(x.max()) - #require(x.min())), (#require(y.max()) - #require(y.min())))
        #expect(abs(width - height) < 1 && height > 250)
        #expect(text.contains(">500 m<"))
        let hostile = page(.outline([[Chart.Place(x: .infinity, y: .nan), Chart.Place(x: -1e300, y: 1e300)]]))
        #expect(!hostile.contains("inf") && !hostile.contains("nan"))
        #expect(page(.outline([])).contains("<svg"))
    }

    @Test func aMatrixShadesItsNumbersAndFramesWhatIsMarked() {
        let matrix = Chart.Matrix(
            rows: ["1", "2"], columns: ["2024-01", "2024-02"], values: [[10, nil], [1, 0]],
            isMarked: [[false, false], [true, false]])
        let text = page(.matrix(matrix))
        #expect(text.contains("fill-opacity=\"1\"") && text.contains("fill-opacity=\"0.2\""))
        #expect(text.matches(of: /class="heat"/).count == 2 && text.matches(of: /class="mark"/).count == 1)
        var hostile = matrix
        hostile.values = [[.infinity, 5], [1e308, nil]]
        #expect(page(.matrix(hostile)).contains("fill-opacity=\"1\""))
    }

    @Test func cellsLeadWhereTheSiteHasAPage() {
        var table = Table([.left("Type"), .right("Records")])
        table.addRow(
            ["Steps", "2"], links: [0: .init("type", ["type": "A&B"]), 1: .init("nowhere")], between: "29 days")
        let renderer = PageRenderer(.site { $0.command == "type" ? "/type?\($0.options[0].value)" : nil })
        let text = HTML(renderer.html(Document([.table(table)]))).text
        #expect(text.contains("<a href=\"/type?A&amp;B\"><bdi>Steps</bdi></a>"))
        #expect(text.contains("<td class=\"n\" data-title=\"Records\">2</td>"))
        #expect(text.contains("<tr class=\"between\"><td colspan=\"2\">29 days</td></tr>"))
        #expect(TerminalRenderer().text(Document([.table(table)])) == "Type   Records\nSteps        2\n")
        #expect(!PageRenderer.text(Document([.table(table)]), title: "Tab").contains("href"))
    }
}
