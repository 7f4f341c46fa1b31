/// The content of a companion file, as far as it is used: each run, its script, and what was played.
package struct CompanionFile: Equatable, Sendable {
    package var runs: [CompanionRun] = []
    package var raceSetups: [RaceSetup] = []
    /// The name of the metadata of workouts whose value is a run's id; nil for the usual ones.
    package var linkKey: String?

    /// The run of an id, in any case.
    package func run(_ id: String) -> CompanionRun? { runs.first { $0.id.lowercased() == id.lowercased() } }

    /// The run whose script has an id, in any case.
    package func run(ofScript id: String) -> CompanionRun? {
        runs.first { $0.script?.id.lowercased() == id.lowercased() }
    }

    /// The race of a run: by the run's id, else by its script's.
    package func raceSetup(of run: CompanionRun) -> RaceSetup? {
        let (id, script) = (run.id.lowercased(), run.script?.id.lowercased())
        return raceSetups.first { $0.runID?.lowercased() == id }
            ?? raceSetups.first { script != nil && $0.scriptID?.lowercased() == script }
    }
}

/// What an app stored about one workout. Instants are Unix seconds; ids are as the file writes them.
package struct CompanionRun: Equatable, Sendable {
    package var id: String
    package var startedAt: Double
    package var endedAt: Double?
    package var isTreadmill: Bool
    package var label: String?
    /// The identifier of the workout in HealthKit.
    package var workoutUUID: String?
    package var script: Script?
    /// When notes were recorded.
    package var notes: [Double]
    package var plays: [PlayedMessage]
    /// What the app showed last: metres, seconds, seconds per kilometre.
    package var cachedDistance: Double?
    package var cachedDuration: Double?
    package var cachedPace: Double?
}

/// Messages with their triggers.
package struct Script: Equatable, Sendable {
    package var id: String
    package var messages: [ScriptMessage]
    /// Whether messages belong to branches, of which not all are open at one time.
    package var isBranched: Bool

    package init(id: String, messages: [ScriptMessage], isBranched: Bool) {
        self.id = id
        self.messages = messages
        self.isBranched = isBranched
    }
}

/// One message of a script.
package struct ScriptMessage: Equatable, Sendable {
    package var id: String
    package var trigger: Trigger
    package var branchKey: String?
    /// The message with the highest priority is played first; 50 where nothing is stated.
    package var priority: Double
    /// Whether a condition plays the message once only; nil where nothing is stated.
    package var playOnce: Bool?

    package init(
        id: String, trigger: Trigger, branchKey: String? = nil, priority: Double = 50, playOnce: Bool? = nil
    ) {
        self.id = id
        self.trigger = trigger
        self.branchKey = branchKey
        self.priority = priority
        self.playOnce = playOnce
    }
}

/// One time a message was played.
package struct PlayedMessage: Equatable, Sendable {
    package var messageID: String
    /// Unix seconds.
    package var playedAt: Double

    package init(messageID: String, playedAt: Double) {
        self.messageID = messageID
        self.playedAt = playedAt
    }
}

/// What is planned for a race.
package struct RaceSetup: Equatable, Sendable {
    /// How the target time is spread over the distance.
    package enum Pacing: String, Sendable, CaseIterable {
        case even, negative, positive, custom
    }

    package var distance: Double
    /// Seconds.
    package var targetTime: Double
    package var pacing: Pacing
    /// When to eat and to drink.
    package var fuelling: [Trigger] = []
    package var hydration: [Trigger] = []
    package var scriptID: String?
    package var runID: String?

    package init(distance: Double, targetTime: Double, pacing: Pacing) {
        self.distance = distance
        self.targetTime = targetTime
        self.pacing = pacing
    }
}
