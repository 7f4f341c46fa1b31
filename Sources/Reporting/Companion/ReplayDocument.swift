package import Presentation
internal import Store
package import Training

extension ReplayReport {
    /// When each message fires, and which do not.
    package func document(_ zone: DisplayZone) -> Document {
        var document = Document()
        let count = Counts.of(question.messages.count, "message")
        document.paragraph("Script \(question.script.id), \(count), times in \(zone.name).")
        if sides.count == 2 {
            document.append(.table(changesTable))
            return document
        }
        guard let side = sides.first, let answer = side.answer else { return document }
        document.paragraph(
            "Workout \(side.workout ?? "-") in observation \(side.observation.id), \(side.state.rawValue).")
        var fires = Table([
            .name("Message"), .right("After"), .right("Distance"), .exact("Time", leftOut: 2), .right("±", leftOut: 1),
            .right("Skipped", leftOut: 3),
        ])
        for (fire, uncertainty) in zip(answer.replay.fires, answer.uncertaintySeconds) {
            fires.addRow([
                fire.messageID, Self.clock(fire.tick.seconds),
                WorkoutText.metres(fire.tick.values[.distance]),
                zone.time(Int64(fire.tick.instant.rounded(.down))),
                uncertainty > 0 ? "\(Counts.grouped(Int64(uncertainty.rounded()))) s" : "",
                fire.skipped > 0 ? "\(fire.skipped)" : "",
            ])
        }
        if fires.rows.isEmpty { document.paragraph("No message fires.") } else { document.append(.table(fires)) }
        var misses = Table([.name("Message"), .left("Why not")])
        for miss in answer.replay.misses { misses.addRow([miss.messageID, Self.words(miss.reason)]) }
        document.section("Does not fire", misses)
        let played = answer.played
        if !played.plays.isEmpty {
            let matched = played.plays.count { $0.fire != nil }
            document.paragraph(
                "\(Counts.of(played.plays.count, "play")) in the file: \(matched) within 30 s of the replay, "
                    + "\(played.plays.count - matched) played only, \(played.replayedOnly.count) replayed only.", .apart
            )
        }
        return document
    }

    /// The messages of two sides.
    private var changesTable: Table {
        var table = Table(
            [.name("Message"), .left("Change"), .right("Seconds")]
                + (finest == nil ? [] : [.left("At the finest state")]))
        let restored = changes(to: finest)
        for (index, change) in changes(to: sides.last).enumerated() {
            let seconds = change.kind == .shifted ? change.seconds : nil
            table.addRow([
                change.messageID, Self.words(change.kind), seconds.map { Wording.rounded($0) } ?? "",
                index < restored.count ? Self.words(restored[index].kind) : "",
            ])
        }
        return table
    }

    /// `1:02:03` of seconds.
    static func clock(_ seconds: Double) -> String {
        Durations.clock(Int(seconds.rounded(.down)))
    }

    private static func words(_ change: MessageChange.Kind) -> String {
        switch change {
        case .same: "same"
        case .shifted: "shifted"
        case .noLongerFires: "no longer fires"
        case .newlyFires: "newly fires"
        }
    }

    private static func words(_ reason: ReplayMiss.Reason) -> String {
        switch reason {
        case .notApplicable: "there is no plan of this kind"
        case .otherBranch: "its branch was not open"
        case .outranked: "other messages fired first"
        case .unknownThroughout: "the condition was never known"
        case .neverTrue: "the condition was never true"
        case .neverReached: "it was never reached"
        }
    }
}
