/// How a message's times differ between two replays of one script.
package struct MessageChange: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// As often, and each time within a second.
        case same
        case shifted
        case noLongerFires
        case newlyFires
    }

    package var messageID: String
    package var kind: Kind
    /// The later side's active second less the earlier one's, where both play the message: of the first time that
    /// differs, else of the first time.
    package var seconds: Double?

    /// Compares the times of one message.
    ///
    /// Times are paired in order. Where all pairs agree and one side has more, the rest fires no longer, or newly.
    package init(_ messageID: String, _ before: [Double], _ after: [Double]) {
        self.messageID = messageID
        let differences = zip(before, after).map { $1 - $0 }
        let shift = differences.first { abs($0) > 1 }
        seconds = shift ?? differences.first
        kind =
            if shift != nil {
                .shifted
            } else if before.count > after.count {
                .noLongerFires
            } else {
                before.count < after.count ? .newlyFires : .same
            }
    }
}

extension Replay {
    /// What became of each message of a script that was replayed before as `earlier`, in the script's order.
    package func changes(since earlier: Replay, _ messages: [ScriptMessage]) -> [MessageChange] {
        let (before, after) = (earlier.secondsByMessage, secondsByMessage)
        return messages.map { MessageChange($0.id, before[$0.id] ?? [], after[$0.id] ?? []) }
    }

    private var secondsByMessage: [String: [Double]] {
        Dictionary(grouping: fires, by: \.messageID).mapValues { $0.map(\.tick.seconds) }
    }
}

/// What an app played against what a replay plays.
package struct PlayedComparison: Equatable, Sendable {
    /// A play, and the time of its message that is nearest; nil where none is near.
    package struct Match: Equatable, Sendable {
        package var play: PlayedMessage
        package var fire: ReplayFire?
        /// Seconds from the replay's time to the play.
        package var delta: Double? { fire.map { play.playedAt - $0.tick.instant } }
    }

    /// The plays in order of time.
    package private(set) var plays: [Match] = []
    package private(set) var replayedOnly: [ReplayFire]

    /// How far a play may be from its time, in seconds.
    private static let farthest = 30.0

    /// Each play takes the nearest time of its message that no other has taken.
    package init(_ plays: [PlayedMessage], _ fires: [ReplayFire]) {
        replayedOnly = fires
        for play in plays.sorted(by: { $0.playedAt < $1.playedAt }) {
            func distance(_ fire: ReplayFire) -> Double { abs(play.playedAt - fire.tick.instant) }
            let nearest = replayedOnly.indices.filter {
                replayedOnly[$0].messageID.lowercased() == play.messageID.lowercased()
                    && distance(replayedOnly[$0]) <= Self.farthest
            }.min { distance(replayedOnly[$0]) < distance(replayedOnly[$1]) }
            self.plays.append(Match(play: play, fire: nearest.map { replayedOnly.remove(at: $0) }))
        }
    }
}
