internal import Basics

extension CompanionCheck {
    /// How long a file may be, in bytes.
    package static let longestFile = 64 << 20
    private static let deepest = 32

    /// Reads a companion file; what is wrong in it is part of the result.
    package init(_ bytes: [UInt8]) {
        let findings = CompanionFindings()
        guard bytes.count <= Self.longestFile else {
            findings.note(.outOfRange, "", "expected at most 64 MiB")
            take(findings)
            return
        }
        do {
            let json = try JSON.document(bytes, maximumDepth: Self.deepest)
            let file = CompanionFields(json, "", findings)?.made { CompanionFile(&$0) }
            findings.checkReferences()
            take(findings)
            if errors.isEmpty, let file {
                self.file = file
                warnings = file.warnings(json)
            }
        } catch {
            errorCount = 1
            errors = [
                CompanionFinding(
                    .syntax, "", "this is no JSON, or is nested deeper than \(Self.deepest)",
                    line: error.line, column: error.column)
            ]
        }
    }

    private mutating func take(_ findings: CompanionFindings) {
        errors = findings.errors
        errorCount = findings.errorCount
    }
}

extension CompanionFile {
    fileprivate init(_ fields: inout CompanionFields) {
        if let schema = fields.required("schema", .text), schema != "healthprobe.companion/1" {
            fields.note(.unknownSchema, at: "schema", "expected healthprobe.companion/1")
        }
        runs = fields.list("runs", isRequired: true, most: 10_000) { CompanionRun(&$0) }
        raceSetups = fields.list("raceSetups") { RaceSetup(&$0) }
        linkKey = fields.optional("linkKey", .text)
        _ = fields.list("userMemory") { (memory: inout CompanionFields) -> Void? in
            _ = memory.id()
            _ = memory.required("kind", .choice(["preference", "goal", "fact", "dislike", "personalReference"]))
            _ = memory.required("key", .text)
            _ = memory.required("value", .json)
            _ = memory.required("confidence", .number.limited(to: "a number from 0 to 1") { (0...1).contains($0) })
            _ = memory.required("source", .choice(["user", "ai_inferred", "system_default"]))
            _ = memory.required("updatedAt", .date)
            return nil
        }
        _ = fields.list("aiReplies") { (reply: inout CompanionFields) -> Void? in
            _ = reply.id(of: .aiReply)
            reply.reference("voiceNoteId", to: .voiceNote)
            _ = reply.required("replyText", .text)
            _ = reply.required("requestedAt", .date)
            _ = reply.optional("respondedAt", .date)
            _ = reply.optional("playedAt", .date)
            _ = reply.required("model", .text)
            _ = reply.optional("costUsd", .number)
            return nil
        }
    }
}

extension CompanionRun {
    fileprivate init?(_ fields: inout CompanionFields) {
        let id = fields.id(of: .run)
        let startedAt = fields.required("startedAt", .date)
        endedAt = fields.optional("endedAt", .date)
        if let startedAt, let endedAt, endedAt < startedAt {
            fields.note(.endsBeforeStart, at: "endedAt", "expected no instant before startedAt")
        }
        isTreadmill = fields.required("runType", .choice(["outdoor", "treadmill"])) == "treadmill"
        _ = fields.required("mode", .choice(["free", "training", "race"]))
        _ = fields.required("personality", .text)
        workoutUUID = fields.optional("healthKitWorkoutUUID", .uuid)
        script = fields.object("script") { Script(&$0, of: id) }
        notes = fields.list("voiceNotes") { note in
            _ = note.id(of: .voiceNote)
            note.reference("runId", to: .run)
            let recordedAt = note.required("recordedAt", .date)
            _ = note.required("audioFilePath", .text)
            _ = note.optional("transcript", .text)
            _ = note.required("transcriptionStatus", .choice(["pending", "done", "failed"]))
            note.reference("aiReplyId", to: .aiReply, isRequired: false)
            return recordedAt
        }
        plays = fields.list("aiMessagesPlayed") { play in
            let message = play.reference("messageId", to: .message)
            let playedAt = play.required("playedAt", .date)
            play.reference("runId", to: .run)
            _ = play.required("wasInterrupted", .flag)
            guard let message, let playedAt else { return nil }
            return PlayedMessage(messageID: message, playedAt: playedAt)
        }
        _ = fields.optional("userNotes", .text)
        _ = fields.optional(
            "perceivedEffort", .whole.limited(to: "a whole number from 1 to 10") { (1...10).contains($0) })
        label = fields.optional("label", .text)
        _ = fields.optional("summaryText", .text)
        cachedDistance = fields.optional("cachedDistanceMeters", .number)
        cachedDuration = fields.optional("cachedDurationSeconds", .number)
        cachedPace = fields.optional("cachedAvgPaceSecPerKm", .number)
        guard let id, let startedAt else { return nil }
        self.id = id
        self.startedAt = startedAt
    }
}

extension Script {
    fileprivate init?(_ fields: inout CompanionFields, of run: String?) {
        let id = fields.id(of: .script)
        let owner = fields.required("runId", .uuid)
        if let run, let owner, owner.lowercased() != run.lowercased() {
            fields.note(.mismatchedRun, at: "runId", "expected the id of the run that has the script")
        }
        _ = fields.required("personality", .text)
        _ = fields.required("generatedAt", .date)
        _ = fields.required("model", .text)
        _ = fields.required("inputDigest", .text)
        messages = fields.list("messages", isRequired: true, most: 2_000) { ScriptMessage(&$0) }
        isBranched = fields.required("branchPolicy", .choice(["linear", "branched"])) == "branched"
        guard let id else { return nil }
        self.id = id
    }
}

extension ScriptMessage {
    fileprivate init?(_ fields: inout CompanionFields) {
        let id = fields.id(of: .message)
        let trigger = fields.trigger("triggerSpec")
        _ = fields.required("text", .text)
        branchKey = fields.optional("branchKey", .text)
        _ = fields.optional("prerenderedAudioPath", .text)
        priority = fields.value("priority", .whole, or: 50)
        playOnce = fields.value("playOnce", FieldKind("true or false") { $0.bool.map { Optional($0) } }, or: nil)
        guard let id, let trigger else { return nil }
        self.id = id
        self.trigger = trigger
    }
}

extension RaceSetup {
    fileprivate init?(_ fields: inout CompanionFields) {
        _ = fields.id()
        _ = fields.required("name", .text)
        let distance = fields.required("distanceMeters", .positive)
        let targetTime = fields.required("targetTimeSeconds", .positive)
        let pacing = fields.required("pacingStrategy", .choice(Pacing.allCases.map(\.rawValue)))
        fuelling = fields.list("fuelingPlan") { Self.cue(&$0) }
        hydration = fields.list("hydrationPlan") { Self.cue(&$0) }
        _ = fields.optional("notes", .text)
        scriptID = fields.reference("scriptId", to: .script, isRequired: false)
        runID = fields.reference("runId", to: .run, isRequired: false)
        guard let distance, let targetTime, let pacing = pacing.flatMap(Pacing.init) else { return nil }
        self.distance = distance
        self.targetTime = targetTime
        self.pacing = pacing
    }

    /// A cue of a race is due at one distance or each time so many metres more are reached.
    private static func cue(_ fields: inout CompanionFields) -> Trigger? {
        let at = fields.optional("atMeters", .positive)
        let every = fields.optional("everyMeters", .positive)
        _ = fields.required("what", .text)
        guard fields.has("atMeters") != fields.has("everyMeters") else {
            fields.note(.badTrigger, "exactly one of atMeters, everyMeters")
            return nil
        }
        return at.map { .at(.metres, $0) } ?? every.map { .every(.metres, $0) }
    }
}
