internal import Days
internal import Presentation
internal import Questions
internal import Reporting
internal import Store
internal import Training

extension Visit {
    /// What the athlete states about themselves, as the commands find it.
    ///
    /// - Throws: `invalidSettings`, `inputOutput`.
    var athlete: AthleteSettings {
        get throws { try AthleteSettings.read(nil, environment: site.environment) }
    }

    /// The chain with its names, for what reads workouts and days.
    var snapshot: Snapshot { get throws { try Snapshot(db, chain: chain.name) } }

    /// Whether consolidated records are replaced by their originals.
    var workoutState: WorkoutState {
        get throws { try value(.state) ?? .visible }
    }

    /// What the workouts of the observation say, in the state that is asked for.
    func withWorkouts<Answer>(_ read: (WorkoutReader) throws -> Answer) throws -> Answer {
        let reader = try WorkoutReader(snapshot, at: observation, athlete, state: workoutState)
        defer { reader.close() }
        return try read(reader)
    }

    /// How many days are asked for, the last ones; nil where nothing is said.
    var lastDays: Int? {
        get throws {
            guard let text = address[.last] else { return nil }
            guard let number = Int(text), number > 0, address[.since] == nil, address[.until] == nil else {
                throw WebError(.usage, "last takes a number from 1, and does not go with since and until.")
            }
            return number
        }
    }

    /// A choice of the state, for forms.
    var stateChoice: HTML {
        Form.choice(
            Parameter.state, "Consolidated records",
            [("visible", "as the export has them"), ("finest", "restored where the archive can")],
            chosen: address[.state] ?? "visible")
    }
}

/// Days: physiology, load and scores at an observation.
struct MetricsPage: SitePage {
    let visit: Visit
    private let answer: DailyAnswer

    init(_ visit: Visit) throws {
        self.visit = visit
        let last = try visit.lastDays
        let all = try visit.withWorkouts { try DailyAnswer.read($0, withTotals: visit.address[.totals] != nil) }
        let (since, until) = try visit.interval(in: all.zone.timeZone)
        answer = try all.cut(visit.db, since: since, until: until, last: last)
    }

    func content() throws -> PageContent {
        let observation = try visit.observation
        let isInterval = [.since, .until, .last].contains { visit.address[$0] != nil }
        return PageContent(
            "Days of observation \(observation.id)",
            [Steps.observations(visit, observation), Form.html(visit, .days)]
                + visit.html(
                    visit.isSimple
                        ? DailyDocument.make(answer, rows: 20, charted: isInterval ? .max : 90, columns: 60)
                        : DailyDocument.make(answer, rows: 100, columns: 240)))
    }

    func twin(_ form: Page.Form) throws -> Answer {
        let columns = DailyAnswer.columns
        if form == .json {
            let rows = answer.days.map { columns.json($0, of: answer) }
            return visit.listAnswer("metricsList", ["rows": rows], next: nil as String?)
        }
        let bytes =
            form == .csv
            ? columns.csv(answer.days, of: answer, forTerminal: false) : columns.lines(answer.days, of: answer)
        return .stream(form, named: "metrics-\(answer.observation.id)") { try $0(bytes) }
    }
}

/// What consolidation did to the figures of workouts and days.
struct ImpactPage: SitePage {
    let visit: Visit
    private let limit: Int?

    init(_ visit: Visit) throws {
        self.visit = visit
        limit = try visit.limit(1...Int.max)
    }

    private var answer: ImpactAnswer {
        get throws {
            let sides = try visit.sides
            let question = ConsolidationQuestion(from: sides.from, to: sides.to, through: visit.isThrough)
            var answer = try ImpactReader.read(visit.snapshot, question, visit.athlete)
            guard let metric = visit.address[.metric] else { return answer }
            guard ImpactAnswer.metrics.contains(metric) else {
                throw WebError(.usage, "metric takes the name of a figure, as JSON has it.")
            }
            answer.keep(metric: metric)
            return answer
        }
    }

    func content() throws -> PageContent {
        let document = ImpactDocument.make(try answer, visit.zone, limit: limit ?? (visit.isSimple ? 3 : 15))
        return PageContent(
            "Impact of consolidation between \(try visit.sidesTitle)", try visit.comparisonHead() + visit.html(document)
        )
    }

    func twin(_ form: Page.Form) throws -> Answer {
        let answer = try answer
        return .json((limit.map { answer.first($0) } ?? answer).json)
    }
}
