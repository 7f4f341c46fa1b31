internal import ArchiveRows
internal import Exporting
internal import HealthMetrics
internal import HealthModel
internal import Presentation
internal import Reporting
internal import WorkoutReading

/// The workouts visible at an observation, newest first.
struct WorkoutsPage: SitePage {
    let visit: Visit
    private let page: WorkoutReading.WorkoutPage

    var commandWithStatements: String? { get throws { try visit.command(["workouts"]) } }

    init(_ visit: Visit) throws {
        self.visit = visit
        var question = WorkoutReading.WorkoutPage.Question()
        (question.since, question.until) = try visit.interval(in: visit.zone.zone)
        question.source = try visit.source
        guard visit.address.list(.type).count < 2 else { throw WebError(.usage, "type takes one activity.") }
        question.activity = visit.address[.type]
        let isPage = visit.address.form == .page
        question.limit =
            try visit.limit(1...100_000) ?? (isPage ? visit.pageSize : visit.address.form == .csv ? .max : 100)
        question.after = visit.address[.after]
        let reader = try WorkoutReader(visit.snapshot, at: visit.observation, visit.athlete, state: visit.workoutState)
        defer { reader.close() }
        page = try reader.page(question)
    }

    func content() throws -> PageContent {
        let observation = try visit.observation
        return PageContent(
            "Workouts of observation \(observation.id)",
            [Steps.observations(visit, observation), Form.html(visit, .workouts)]
                + visit.html(page.document(visit.zone, visit.units))
                + [Steps.pages(visit, next: page.next)])
    }

    func twin(_ form: Page.Form) throws -> Answer {
        if form == .json { return visit.listAnswer("workoutList", ["rows": page.jsonRows], next: page.next) }
        let bytes = form == .csv ? page.csv(forTerminal: false) : page.lines
        return .stream(form, named: "workouts-\(try visit.observation.id)") { try $0(bytes) }
    }
}

/// One workout at an observation, or at two side by side.
struct WorkoutPage: SitePage {
    let visit: Visit
    private let name: String
    private let question: WorkoutTruth.Question
    private let parts: Set<WorkoutDocument.Part>

    init(_ visit: Visit) throws {
        self.visit = visit
        parts = Set(try visit.values(.include))
        if visit.address.form == .json, !parts.isEmpty {
            throw WebError(.usage, "JSON has no outline of the route; include goes with the page.")
        }
        guard let name = visit.address[.workout] else {
            throw WebError(.usage, "This page is about one workout.", hint: "Choose it in the list of workouts.")
        }
        self.name = name
        var question = WorkoutTruth.Question()
        question.length = try visit.value(.splits) ?? visit.units.split
        self.question = question
    }

    private enum Answered {
        case one(WorkoutFinding)
        case two(WorkoutComparison)
    }

    private var answer: Answered {
        get throws {
            let (snapshot, settings, state) = (try visit.snapshot, try visit.athlete, try visit.workoutState)
            guard visit.address[.to] == nil, visit.address[.from] == nil else {
                let sides = try visit.sides
                return .two(
                    try WorkoutComparison.read(
                        snapshot, name, from: sides.from, to: sides.to, settings, state: state, question))
            }
            let reader = try WorkoutReader(snapshot, at: visit.observation, settings, state: state)
            defer { reader.close() }
            return .one(try reader.finding(reader.place(of: name), question))
        }
    }

    func content() throws -> PageContent {
        let document =
            switch try answer {
            case .one(let finding): WorkoutDocument(finding, parts: parts, visit.units).document
            case .two(let comparison): WorkoutDocument(comparison, parts: parts, visit.units).document
            }
        let form = Form.html(
            visit, visit.address, keeping: [.workout, .at, .from, .to], button: "Show",
            [
                Form.choice(
                    Parameter.splits, "Splits", [("km", "km"), ("mile", "mile")], chosen: question.length.rawValue),
                visit.stateChoice,
                Form.check(Parameter.include, "Outline of the route", value: "routes", isOn: parts.contains(.routes)),
            ])
        return PageContent("Workout", try links + [form] + visit.html(document))
    }

    /// The same workout at the first and the latest observation, side by side.
    private var links: [HTML] {
        get throws {
            let finished = visit.chain.finished
            var shown = [("Workouts", visit.links.address(.workouts).with(.at, "\(try visit.observation.id)"))]
            if let first = finished.first, let last = finished.last, first.id != last.id {
                shown.append(
                    (
                        "First and latest observation side by side",
                        visit.address.with(.at, nil).with(.from, "\(first.id)").with(.to, "\(last.id)")
                    ))
            }
            return [Steps.links(shown)]
        }
    }

    func twin(_ form: Page.Form) throws -> Answer {
        if form != .json {
            guard case .one(let finding) = try answer, let format = WorkoutFileFormat(rawValue: form.rawValue) else {
                throw WebError(.usage, "A file is of one observation; from and to go with the page and JSON.")
            }
            let bytes = try format.bytes(finding, laps: nil, withPositions: true)
            let name = "workout-\(finding.workout.row.identity.prefix).\(form.rawValue)"
            return .file(
                bytes, format == .csv ? "text/csv; charset=utf-8; header=present" : "application/xml", named: name)
        }
        switch try answer {
        case .one(let finding): return .json(finding.json(withSeries: false))
        case .two(let comparison): return .json(comparison.json(withSeries: false))
        }
    }
}
