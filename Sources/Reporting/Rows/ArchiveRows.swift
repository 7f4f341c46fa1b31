package import Basics
package import Care
package import Evidence
internal import Foundation
internal import HealthModel
package import Questions
package import Store

extension ArchiveInfo {
    /// The line of `archive info --json`.
    /// - Parameter walByteCount: bytes of the write-ahead log beside the archive.
    package func line(path: String, walByteCount: Int64, key: KeyFile.State) -> JSON {
        .line(
            "archive",
            [
                "path": path, "uuid": identity.uuid, "schemaVersion": identity.schemaVersion,
                "keyID": identity.keyID, "keyEpoch": identity.keyEpoch, "key": key.rawValue,
                "failedCheck": identity.failedCheck, "byteCount": byteCount, "freeByteCount": freeByteCount,
                "walByteCount": walByteCount, "observations": JSON.counts(statuses), "samples": counts.samples,
                "versions": counts.versions, "copies": counts.recordVersions, "sideFiles": sideFiles,
                "seals": JSON.row([
                    "count": seals,
                    "head": headSeal.map { JSON.row(["sequence": $0.sequence, "seal": $0.digest]) },
                ]), "chains": chains,
            ])
    }
}

extension ArchiveInfo.ChainInfo: JSONConvertible {
    package var json: JSON {
        .row([
            "name": name, "observations": JSON.counts(statuses), "firstObservedAt": JSON.instant(firstObservedAt),
            "lastObservedAt": JSON.instant(lastObservedAt), "timeZone": zone,
        ])
    }
}

extension CheckResult: JSONConvertible {
    /// The line of `check --json`.
    package var json: JSON {
        .line(
            "check",
            [
                "healthy": healthy,
                "invariants": invariants.map { JSON.row(["id": $0.id, "holds": $0.holds, "detail": $0.detail]) },
            ])
    }
}

extension ArchiveRepair.Report {
    /// The line of `archive repair --json`.
    package func line(path: String) -> JSON {
        .line(
            "repair",
            [
                "path": path, "complete": isComplete, "lost": lost,
                "dropped": JSON.object(dropped.map { ($0.table, $0.count.json) }), "rederivedObservations": rederived,
                "failedInvariants": check.failed.map(\.id),
            ])
    }

    /// Whether nothing is lost and the new archive passes its check.
    var isComplete: Bool { lost.isEmpty && dropped.isEmpty && rederived.isEmpty && check.healthy }
}

extension RunLog.Entry: JSONConvertible {
    /// A line of `archive log --json`.
    package var json: JSON {
        .row([
            "id": id, "at": JSON.instant(loggedAt), "event": event, "outcome": outcome,
            "observation": importID,
            "program": program, "details": JSON.object(detailTexts.map { ($0.name, .string($0.text)) }),
            "file": file,
        ])
    }

    /// The details by name.
    var detailTexts: [(name: String, text: String)] {
        let object = try? JSONSerialization.jsonObject(with: Data(details.utf8)) as? [String: String]
        return (object ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension OfferedFile: JSONConvertible {
    package var json: JSON { .row(["name": name, "byteCount": byteCount, "sha256": sha256?.hex]) }
}

extension RememberedHead.Answer: JSONConvertible {
    package var json: JSON {
        switch self {
        case .unknown: "unknown"
        case .continues: "continues"
        case .stepBack: "stepBack"
        }
    }
}

extension Checkpoint {
    /// The line of `seal --json`.
    /// - Parameter answer: how the archive answers to what was seen here before.
    package func line(_ answer: RememberedHead.Answer) -> JSON {
        line.adding(["remembered": answer])
    }

    /// The line of `seal --verify --json`.
    /// - Parameter problem: why the archive does not contain the checkpoint; nil where it does.
    package func verdictLine(problem: String?) -> JSON {
        line.adding(["contained": problem == nil, "detail": problem])
    }

    private var line: JSON {
        .line("seal", ["origin": origin, "sequence": sequence, "head": base64, "sha256": head])
    }
}

extension Seal {
    /// The line of `seal --all`: the statement that the seal covers, exactly as it was hashed.
    package var line: String { "{\"sequence\":\(sequence),\"seal\":\"\(digest.hex)\",\"statement\":\(statement)}" }
}

extension PrintedQuery: JSONConvertible {
    package var json: JSON { .row(["title": title, "sql": sql]) }

    /// The line of `--show-sql --json`.
    package static func line(_ queries: [PrintedQuery]) -> JSON { .line("queries", ["queries": queries]) }
}

extension RecordedExport {
    /// A row of `exports --json`.
    package func json(status: String) -> JSON {
        .row([
            "id": id, "exportId": exportID, "kind": kind, "createdAt": ISO8601.string(unixSeconds: createdAt),
            "recordedAt": ISO8601.string(unixSeconds: recordedAt), "from": fromObservation, "to": toObservation,
            "recordCount": recordCount, "manifestHash": manifestHash, "itemsRecorded": hasItems, "program": program,
            "status": status,
        ])
    }
}

extension SourceList: JSONConvertible {
    /// The line of `sources --json`.
    package var json: JSON { .line("sources", ["sources": sources]) }
}

extension SourceList.Source: JSONConvertible {
    package var json: JSON {
        .row([
            "name": name, "versions": versions, "devices": devices.map { JSON.canonical($0) },
            "types": types.map { JSON.row(["type": $0.type, "count": $0.count]) },
            "firstStart": JSON.instant(firstStart), "lastEnd": JSON.instant(lastEnd),
        ])
    }
}
