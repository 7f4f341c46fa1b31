internal import Exporting
internal import HealthModel
internal import Presentation
internal import Reporting
internal import Store
internal import Training

/// The workouts visible at an observation, newest first.
struct WorkoutsPage: SitePage {
    let visit: Visit
    private let page: Training.WorkoutPage
    private let totals: WorkoutTotals

    init(_ visit: Visit) throws {
        self.visit = visit
        var question = Training.WorkoutPage.Question()
        (question.since, question.until) = try visit.interval(in: visit.zone.zone)
        question.source = try visit.source
        guard visit.address.list(.type).count < 2 else { throw WebError(.usage, "type takes one activity.") }
        question.activity = visit.address[.type]
        let isPage = visit.address.form == .page
        question.limit =
            try visit.limit(1...100_000) ?? (isPage ? visit.pageSize : visit.address.form == .csv ? .max : 100)
        question.after = visit.address[.after]
        // An order is one of all workouts.
        if isPage, visit.address[.sort] != nil { (question.limit, question.after) = (.max, nil) }
        (page, totals) = try visit.withWorkouts { [question] in
            let isFirst = isPage && question.after == nil
            return try ($0.page(question), isFirst ? $0.totals(question, in: visit.zone.zone) : WorkoutTotals())
        }
    }

    func content() throws -> PageContent {
        let observation = try visit.observation
        return PageContent(
            "Workouts of observation \(observation.id)",
            [Steps.observations(visit, observation), Form.html(visit, .workouts)]
                + visit.html(shown) + [Steps.pages(visit, next: page.next)] + visit.html(sums))
    }

    /// What all workouts of the question come to.
    private var sums: Document {
        let address = visit.address
        let entry = Document.Link(
            "workouts",
            ["at": address[.at], "type": address[.type], "source": address[.source], "state": address[.state]])
        return totals.document(visit.zone.zone, visit.units, entry: entry, isSimple: visit.isSimple)
    }

    /// The table; of all workouts the first in the order that is asked for.
    private var shown: Document {
        let document = page.document(visit.zone, visit.units)
        guard let order = visit.address[.sort] else { return document }
        return Document(
            document.sorted(by: order).blocks.map { block in
                guard case .table(var table) = block else { return block }
                table.keepFirst(visit.pageSize)
                return .table(table)
            })
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

    init(_ visit: Visit) throws {
        self.visit = visit
        guard let name = visit.address[.workout] else {
            throw WebError(.usage, "This page is about one workout.", hint: "Choose it in the list of workouts.")
        }
        self.name = name
        var question = WorkoutTruth.Question()
        question.length = try visit.value(.splits) ?? visit.units.split
        self.question = question
    }

    private enum Answered {
        case one(WorkoutFinding, WorkoutStanding?)
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
            let finding = try reader.finding(reader.place(of: name), question)
            return .one(finding, visit.address.form == .page ? try reader.standing(of: finding.workout) : nil)
        }
    }

    func content() throws -> PageContent {
        let answer = try answer
        // The page is the owner's own: it has the route.
        let document =
            switch answer {
            case .one(let finding, let standing):
                WorkoutDocument(finding, parts: [.routes], visit.units, standing: standing)
            case .two(let comparison): WorkoutDocument(comparison, parts: [.routes], visit.units)
            }
        let form = Form.html(
            visit, visit.address, keeping: [.workout, .at, .from, .to], button: "Show",
            [
                Form.choice(
                    Parameter.splits, "Splits", [("km", "km"), ("mile", "mile")], chosen: question.length.rawValue),
                visit.stateChoice,
            ])
        var parts = try [links(answer)]
        if case .one(let finding, _) = answer { parts += downloads(finding) }
        return PageContent(document.title, parts + visit.html(document.document, under: document.title) + [form])
    }

    /// The same workout in the exports that have it, and merged records restored.
    private func links(_ answer: Answered) throws -> HTML {
        let finished = visit.chain.finished
        let own = visit.address
        var shown = [("Workouts", visit.links.address(.workouts).with(.at, "\(try visit.observation.id)"))]
        if let first = finished.first, let last = finished.last, first.id != last.id {
            let pair = own.with(.at, nil).with(.from, "\(first.id)").with(.to, "\(last.id)")
            if pair != own { shown.append(("Then and now", pair)) }
            if own[.at] == nil {
                let one = own.with(.from, nil).with(.to, nil)
                shown += [("As the first export has it", one.with(.at, "\(first.id)"))]
                shown += [("As the latest has it", one.with(.at, "\(last.id)"))]
            }
        }
        if case .one(let finding, _) = answer, finding.truth.consolidated != .some(.no), finding.state == .visible {
            shown.append(("As it was before it was merged", own.with(.state, WorkoutState.finest.rawValue)))
        }
        return Steps.links(shown)
    }

    /// The files that other programs take.
    private func downloads(_ finding: WorkoutFinding) -> [HTML] {
        let own = visit.address.with(.workout, finding.workout.row.identity.hex)
        let forms: [Page.Form] = finding.truth.route == nil ? [.tcx, .csv] : [.tcx, .gpx, .csv]
        func list(_ name: String, _ address: Address) -> HTML {
            let links = forms.map { form in
                HTML.element("a", ["href": address.to(.workout, form).text], HTML(form.title))
            }
            return .element("p", ["class": "steps"], [HTML(name)] + links)
        }
        var lists = [list("Download for Strava and others:", own)]
        if finding.state == .visible, finding.truth.consolidated != .some(.no) {
            lists.append(list("As it was before it was merged:", own.with(.state, WorkoutState.finest.rawValue)))
        }
        return lists
    }

    func twin(_ form: Page.Form) throws -> Answer {
        if form != .json {
            guard case .one(let finding, _) = try answer, let format = WorkoutFileFormat(rawValue: form.rawValue) else {
                throw WebError(.usage, "A file is of one observation; from and to go with the page and JSON.")
            }
            let bytes = try format.bytes(finding, laps: nil, withPositions: true)
            let name = "workout-\(finding.workout.row.identity.prefix).\(form.rawValue)"
            return .file(
                bytes, format == .csv ? "text/csv; charset=utf-8; header=present" : "application/xml", named: name)
        }
        switch try answer {
        case .one(let finding, _): return .json(finding.json(withSeries: false))
        case .two(let comparison): return .json(comparison.json(withSeries: false))
        }
    }
}
