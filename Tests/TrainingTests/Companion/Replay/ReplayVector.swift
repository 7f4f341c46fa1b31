import Basics
import Foundation
import Testing
import TestSupport
import Training

/// One case of `Data/replay-vectors.json`: a workout, a script, and what is played.
struct ReplayVector: CustomTestStringConvertible {
    let name: String
    let script: Script
    let plan: ReplayPlan?
    let target: TargetPace?
    let active: ActiveTime
    var distance: [Reading]
    var heartRate: [Reading]
    var steps: [Reading]
    let bounds: [Double]
    let fired: [Fire]

    struct Fire: Equatable {
        var messageID: String
        var seconds: Double
        /// To a decimetre.
        var distance: Double?
        var skipped: Int
    }

    var testDescription: String { name }

    static let all: [ReplayVector] = {
        let url = TestSupport.repository.appendingPathComponent("Tests/TrainingTests/Data/replay-vectors.json")
        guard let data = try? Data(contentsOf: url), let json = try? JSON.document(Array(data)) else { return [] }
        return json.elements.compactMap { try? ReplayVector($0) }
    }()

    init(_ json: JSON) throws {
        name = json["name"]?.string ?? ""
        let messages = try (json["messages"]?.elements ?? []).map { message in
            ScriptMessage(
                id: message["id"]?.string ?? "", trigger: try Trigger(message["triggerSpec"] ?? .null),
                branchKey: message["branchKey"]?.string, priority: message["priority"]?.number ?? 50,
                playOnce: message["playOnce"]?.bool)
        }
        script = Script(id: "s", messages: messages, isBranched: json["policy"]?.string == "branched")
        let planned = json["plan"] ?? .null
        let (metres, seconds) = (planned["meters"]?.number, planned["seconds"]?.number)
        plan = metres.map { .metres($0) } ?? seconds.map { .seconds($0) }
        if let pacing = (planned["strategy"]?.string).flatMap(RaceSetup.Pacing.init), let metres, let seconds {
            target = .race(RaceSetup(distance: metres, targetTime: seconds, pacing: pacing))
        } else {
            target = (planned["pace"]?.number).map { .constant($0) }
        }
        let run = json["run"] ?? .null
        // The zone of the vectors is UTC, so that the workout begins at this hour of 1970-01-01.
        let start = (run["hourAtStart"]?.number ?? 0) * 3600
        func numbers(_ name: String) -> [[Double]] {
            (run[name]?.elements ?? []).map { $0.elements.compactMap { $0.number } }
        }
        func readings(_ name: String) -> [Reading] {
            numbers(name).map { Reading(start + $0[0], start + $0[1], $0[2]) }
        }
        active = ActiveTime(
            Interval(start, start + (run["end"]?.number ?? 0)),
            pauses: numbers("pauses").map { Interval(start + $0[0], start + $0[1]) })
        (distance, heartRate, steps) = (readings("distance"), readings("heartRate"), readings("steps"))
        bounds = (run["zoneBounds"]?.elements ?? []).compactMap { $0.number }
        fired = (json["fired"]?.elements ?? []).map {
            Fire(
                messageID: $0["messageId"]?.string ?? "", seconds: $0["activeSeconds"]?.number ?? -1,
                distance: $0["distance"]?.number, skipped: Int($0["skipped"]?.int ?? -1))
        }
    }

    var course: ReplayCourse {
        ReplayCourse(
            active, distance: distance, heartRate: heartRate, zoneBounds: bounds, steps: steps, timeZone: .gmt,
            target: target)
    }

    var replay: Replay { Replay(script, plan: plan, on: course) }

    static func fires(_ replay: Replay) -> [Fire] {
        replay.fires.map {
            Fire(
                messageID: $0.messageID, seconds: $0.tick.seconds,
                distance: $0.tick.values[.distance].map { ($0 * 10).rounded() / 10 }, skipped: $0.skipped)
        }
    }
}
