package import Basics
package import Evidence
internal import HealthModel
package import Presentation
package import Questions
package import Store

/// Whether an archive is sound, as far as is known without checking it now.
package struct ArchiveHealth: Sendable {
    /// What the last check said.
    package enum State: String, Sendable {
        case healthy, degraded, neverChecked
    }

    private let info: ArchiveInfo
    private let lastCheck: RunLog.Entry?
    private let lastError: (row: RunLog.Entry, messageHash: Digest256)?
    private let lastErrors: [(row: RunLog.Entry, count: Int)]
    private let remembered: RememberedHead.Answer
    private let path: String
    private let walByteCount: Int64
    private let freeByteCount: Int64?
    private let key: KeyFile.State
    private let isReadOnly: Bool
    private let isWritable: Bool
    /// The cache, as JSON and in words; nil where it is off.
    private let cache: (json: JSON, text: String)?
    private let isImportRunning: Bool

    /// - Parameters:
    ///   - log: all rows of the run log.
    ///   - freeByteCount: bytes that are free beside the archive; nil where that is unknown.
    ///   - isReadOnly: whether the server starts nothing that writes.
    ///   - isWritable: whether the archive's file and folder take writing.
    package init(
        _ info: ArchiveInfo, log: [RunLog.Entry], _ remembered: RememberedHead.Answer, path: String,
        walByteCount: Int64, freeByteCount: Int64?, key: KeyFile.State, isReadOnly: Bool, isWritable: Bool,
        isImportRunning: Bool,
        cache: (json: JSON, text: String)? = nil
    ) {
        self.info = info
        self.remembered = remembered
        self.path = path
        self.walByteCount = walByteCount
        self.freeByteCount = freeByteCount
        self.key = key
        self.isReadOnly = isReadOnly
        self.isWritable = isWritable
        self.cache = cache
        self.isImportRunning = isImportRunning
        lastCheck = RunLog.lastCheck(log)
        lastError = RunLog.lastError(log)
        lastErrors = RunLog.lastErrors(log)
    }

    private var failedInvariants: [String] { info.identity.failedChecks }

    package var state: State {
        failedInvariants.isEmpty ? lastCheck == nil ? .neverChecked : .healthy : .degraded
    }

    private var isDeep: Bool? { lastCheck.map { $0.detailTexts.contains { $0.name == "deep" && $0.text == "yes" } } }

    /// The line of `/health.json`.
    package var line: JSON {
        .line(
            "health",
            [
                "state": state.rawValue, "failedInvariants": failedInvariants,
                "lastCheck": lastCheck.map {
                    JSON.row(["at": JSON.instant($0.loggedAt), "outcome": $0.outcome, "deep": isDeep])
                },
                "lastError": lastError.map {
                    JSON.row([
                        "at": JSON.instant($0.row.loggedAt), "kind": $0.row.outcome, "messageHash": $0.messageHash.hex,
                    ])
                },
                "seal": info.headSeal.map { JSON.row(["sequence": $0.sequence, "seal": $0.digest]) },
                "remembered": remembered, "archive": info.line(path: path, walByteCount: walByteCount, key: key),
                "cache": cache?.json, "readOnly": isReadOnly, "freeByteCount": freeByteCount,
                "importRunning": isImportRunning,
            ])
    }

    /// The state in words, and what the archive is and holds.
    package func document(_ zone: DisplayZone) -> Document {
        var document = Document([.paragraph(sentence(zone))])
        let remembered =
            switch remembered {
            case .unknown: "not seen here before"
            case .continues: "continues what was seen here before"
            case .stepBack(let what): "an older copy: \(what)"
            }
        document.append(
            .facts([
                .init("Newest seal", info.headSeal.map { "\($0.sequence)" }), .init("Of this archive", remembered),
                .init("Free beside it", freeByteCount.map { Bytes.text($0) }),
                .init("Cache of pages", cache?.text ?? "off"),
                .init("This server", serverWords),
            ]))
        var errors = Table([.words("Error"), .exact("Last"), .right("Times")])
        for (row, count) in lastErrors {
            let at = Int64(row.loggedAt)
            errors.addRow([row.outcome, zone.time(at), Counts.grouped(Int64(count))], instants: [1: at])
        }
        document.section("Errors by kind (times in \(zone.name))", errors)
        document.append(.heading("What it is and holds"))
        document.append(Array(info.document(path: path, walByteCount: walByteCount, key: key, zone).blocks.dropFirst()))
        return document
    }

    private var serverWords: String {
        if isReadOnly { return "read-only: starts nothing that writes" }
        guard isWritable else {
            return "the archive or its folder is read-only: checks and exports can be made, and are not recorded"
        }
        return "starts checks, analyses and exports where a form asks for it"
    }

    private func sentence(_ zone: DisplayZone) -> String {
        let when = lastCheck.map { "on \(zone.time(Int64($0.loggedAt))) \(zone.name)" } ?? ""
        switch state {
        case .healthy:
            return "The last check, \(when), found the archive healthy"
                + (isDeep == true
                    ? ", with every identity computed again."
                    : ". healthprobe check --deep computes every identity again.")
        case .degraded:
            return "Degraded: the last check, \(when), found something that does not hold in "
                + "\(InvariantWords.text(failedInvariants)). Reading remains possible; imports wait until a check passes."
        case .neverChecked:
            return "The archive was never checked here. healthprobe check does it; the archive stays as it is."
        }
    }
}
