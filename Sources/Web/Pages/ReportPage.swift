internal import Presentation
internal import Questions
internal import Reporting
internal import Store

/// The report of two observations as one file: it brings its own style, and nothing of the site is around it.
struct ReportPage: SitePage {
    let visit: Visit

    private var parts: (report: ComparisonReport, impact: ReportImpact) {
        get throws {
            let question = try visit.comparison
            let report = try ComparisonReport.read(visit.db, chain: visit.chain, question, store: { _ in })
            return (report, try ReportImpact.read(visit.snapshot, question.ofAllTypes, visit.athlete))
        }
    }

    func content() throws -> PageContent { throw WebError(.notFound) }

    /// The report may have its own style, and do nothing else.
    private static let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

    func page() throws -> Answer {
        let (report, impact) = try parts
        var answer = Answer.html(200, Array(PageRenderer.text(report.document(impact), title: report.pageTitle).utf8))
        answer.headers.append(("content-security-policy", Self.policy))
        return answer
    }

    func twin(_ form: Page.Form) throws -> Answer {
        let sides = try visit.sides
        let name = "report-\(sides.from.id)-\(sides.to.id).\(form.rawValue)"
        let disposition = ("content-disposition", "attachment; filename=\"\(name)\"")
        switch form {
        case .html:
            var answer = try page()
            answer.headers.append(disposition)
            return answer
        case .markdown:
            let (report, impact) = try parts
            let text = MarkdownRenderer.text(report.document(impact))
            return Answer(
                200, [("content-type", "text/markdown; charset=utf-8"), disposition], .bytes(Array(text.utf8)))
        default:
            let (report, impact) = try parts
            return .json(report.json(impact))
        }
    }
}
