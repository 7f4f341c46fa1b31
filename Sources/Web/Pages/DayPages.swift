internal import Basics
internal import Days
internal import HealthModel
internal import Presentation
internal import Questions
internal import Reporting
internal import Store
internal import Training

/// One local day, beside the same day as the first export that has it shows it.
struct DayPage: SitePage {
    let visit: Visit
    private let answer: DayAnswer

    init(_ visit: Visit) throws {
        self.visit = visit
        let observation = try visit.observation
        var day: Int64?
        if let date = visit.address[.date] {
            day = CivilDate.daysSince1970(date).map(Int64.init)
        } else if var clock = try ChainZone.recorded(visit.db, chain: visit.chain.id)?.clock {
            day = clock.day(of: observation.observedAt)
        }
        guard let day else {
            throw WebError(.usage, "There is no such day.", hint: "A day is written like 2024-05-01.")
        }
        answer = try DayAnswer.read(visit.snapshot, at: observation, day: day, visit.athlete)
    }

    func content() throws -> PageContent {
        func step(_ name: String, _ day: Int64, rel: String) -> HTML {
            let address = visit.address.with(.date, LocalDate.text(day: day))
            return .element("a", ["href": address.text, "rel": rel], HTML(name))
        }
        let steps = HTML.element(
            "nav", ["class": "steps", "aria-label": "Days"], step("‹ Day before", answer.day - 1, rel: "prev"),
            step("Day after ›", answer.day + 1, rel: "next"))
        return PageContent(
            DayDocument.title(answer.day),
            [steps] + visit.html(DayDocument(answer, visit.units).document, under: DayDocument.title(answer.day)))
    }

    func twin(_ form: Page.Form) throws -> Answer { .json(answer.json) }
}

/// Nights at an observation: falling asleep, waking and stages.
struct NightsPage: SitePage {
    let visit: Visit
    private let answer: NightsAnswer

    init(_ visit: Visit) throws {
        self.visit = visit
        let last = try visit.lastDays
        let all = try visit.withWorkouts { try NightsAnswer.read($0) }
        let (since, until) = try visit.interval(in: all.zone.timeZone)
        answer = try all.cut(visit.db, since: since, until: until, last: last)
    }

    func content() throws -> PageContent {
        let observation = try visit.observation
        return PageContent(
            "Nights",
            [Steps.observations(visit, observation), Form.html(visit, .nights)]
                + visit.html(
                    NightsDocument.make(
                        answer, rows: visit.isSimple ? 20 : 100, isDrawn: !visit.isSimple, heartRates: try heartRates)))
    }

    /// The heart rates of the last night.
    private var heartRates: [Chart.Mark] {
        get throws {
            let drawing = answer.nights.last.flatMap { NightsDocument.hypnograms($0, answer.zone.timeZone).first }
            guard !visit.isSimple, let span = drawing?.span else { return [] }
            return try visit.marks(
                "HKQuantityTypeIdentifierHeartRate", answer.observation, from: Int64(span.lowerBound),
                below: Int64(span.upperBound))
        }
    }

    func twin(_ form: Page.Form) throws -> Answer {
        if form == .json {
            return visit.listAnswer("nightsList", ["rows": answer.jsonRows], next: nil as String?)
        }
        let bytes = form == .csv ? answer.csv(forTerminal: false) : answer.lines
        return .stream(form, named: "nights-\(answer.observation.id)") { try $0(bytes) }
    }
}

/// The ECGs of an observation, or the trace of one.
struct ElectrocardiogramPage: SitePage {
    let visit: Visit
    private let reader: ElectrocardiogramReader
    private let one: Electrocardiogram?

    init(_ visit: Visit) throws {
        self.visit = visit
        let reader = try ElectrocardiogramReader(visit.snapshot, at: visit.observation)
        self.reader = reader
        var clock = try ChainZone.recorded(visit.db, chain: visit.chain.id)?.clock
        one = try visit.address[.ecg].map { name in try reader.find(name) { clock?.day(of: $0) ?? $0 / 86_400 } }
    }

    func content() throws -> PageContent {
        let observation = try visit.observation
        guard let one else {
            return PageContent(
                "ECGs",
                [Steps.observations(visit, observation)]
                    + visit.html(ElectrocardiogramDocument.list(reader, visit.zone)))
        }
        let facts = visit.html(ElectrocardiogramDocument.one(one, at: observation, visit.zone))
        let own = visit.address.with(.ecg, one.identity.hex)
        var links = [("All ECGs", own.with(.ecg, nil))]
        var drawing = HTML.element("p", [:], "The archive does not have the trace of this ECG, or not its sample rate.")
        if let trace = try reader.trace(of: one) {
            links += [("SVG", own.to(.ecg, .svg)), ("CSV", own.to(.ecg, .csv))]
            drawing = .element(
                "div", ["class": "paper", "tabindex": "0", "role": "group", "aria-label": "Trace"],
                ElectrocardiogramDrawing.svg(one, trace))
        }
        return PageContent("ECG of \(visit.zone.time(one.recordedAt))", [Steps.links(links), drawing] + facts)
    }

    func twin(_ form: Page.Form) throws -> Answer {
        let observation = reader.observation.id
        guard let one else {
            switch form {
            case .json:
                let rows = reader.all.reversed().map { Electrocardiogram.columns.json($0, of: observation) }
                return visit.listAnswer("ecgList", ["rows": rows], next: nil as String?)
            case .svg: throw WebError(.usage, "A drawing is of one ECG.")
            default:
                let bytes = form == .csv ? reader.csv(forTerminal: false) : reader.lines
                return .stream(form, named: "ecgs-\(observation)") { try $0(bytes) }
            }
        }
        if form == .json { return .json(Electrocardiogram.columns.json(one, of: observation)) }
        guard form != .ndjson else { throw WebError(.usage, "JSON lines are of the list.") }
        guard let trace = try reader.trace(of: one) else {
            throw WebError(.notFound, "The archive does not have the trace of this ECG, or not its sample rate.")
        }
        let name = "ecg-\(one.identity.prefix)"
        if form == .csv { return .stream(.csv, named: name) { [bytes = trace.csv] in try $0(bytes) } }
        return .file(ElectrocardiogramDrawing.file(one, trace), "image/svg+xml", named: "\(name).svg")
    }
}
