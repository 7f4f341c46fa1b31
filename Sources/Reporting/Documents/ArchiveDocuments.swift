package import Care
package import Evidence
internal import HealthModel
package import Presentation
package import Questions
package import Store

extension ArchiveInfo {
    /// What an archive is and holds.
    package func document(path: String, walByteCount: Int64, key: KeyFile.State, _ zone: DisplayZone) -> Document {
        var document = Document(title: path)
        document.facts([
            ("Archive", identity.uuid), ("Schema", "\(identity.schemaVersion)"),
            (
                "Size",
                "\(Bytes.text(byteCount)), of which free \(Bytes.text(freeByteCount)); "
                    + "write-ahead log \(Bytes.text(walByteCount))"
            ),
            ("Observations", Self.text(statuses)), ("Samples", Counts.grouped(counts.samples)),
            (
                "Representations",
                "\(Counts.grouped(counts.versions)); \(Counts.grouped(counts.recordVersions)) with equal records"
            ),
            ("Side files", Counts.grouped(sideFiles)), ("Seals", Counts.grouped(seals)),
            ("Head seal", headSeal.map { "\($0.sequence): \($0.digest.hex)" }),
            ("Key", "\(identity.keyID) (\(key.rawValue)), epoch \(identity.keyEpoch)"),
            ("Failed check", identity.failedCheck),
        ])
        var table = Table([.left("Chain"), .words("Observations"), .exact("First"), .exact("Last"), .words("Days of")])
        for chain in chains {
            table.addRow(
                [
                    chain.name, Self.text(chain.statuses), zone.time(chain.firstObservedAt),
                    zone.time(chain.lastObservedAt), chain.zone.map(Wording.zone) ?? "",
                ], instants: [2: chain.firstObservedAt, 3: chain.lastObservedAt])
        }
        document.section("Chains (times in \(zone.name))", table)
        return document
    }

    private static func text(_ counts: [ObservationReport.NamedCount]) -> String {
        counts.isEmpty ? "none" : counts.map { "\(Counts.grouped($0.count)) \($0.name)" }.joined(separator: ", ")
    }
}

extension CheckResult {
    /// The invariants, and what those that do not hold mean for what can be done next.
    ///
    /// - Parameter isDeep: whether identities and versions were recomputed.
    package func document(isDeep: Bool) -> Document {
        var table = Table([.exact("Invariant"), .exact("Holds"), .words("Detail", maxWidth: 4_096)])
        for invariant in invariants {
            table.addRow([invariant.id, invariant.holds ? "yes" : "no", invariant.detail ?? ""])
        }
        let scope = isDeep ? "" : "; identities and versions not recomputed: use --deep"
        return Document([.table(table), .paragraph(verdict(scope))])
    }

    /// - Parameter scope: what was not tested, as the end of a sentence.
    private func verdict(_ scope: String) -> String {
        guard !healthy else { return "All \(Counts.of(invariants.count, "check")) passed\(scope)." }
        let failed = Set(failed.map(\.id))
        var sentences = ["\(Counts.grouped(failed.count)) of \(Counts.of(invariants.count, "check")) failed\(scope)."]
        sentences.append(
            damage.isEmpty
                ? "The archive itself is undamaged: imports remain possible."
                : "Imports are refused until a check passes: repair the archive or restore a backup. Reading remains possible."
        )
        if failed.contains(ArchiveCheck.rememberedHead) {
            sentences.append("\(OlderCopy.finding). \(OlderCopy.hint)")
        }
        if !failed.isDisjoint(with: ArchiveCheck.sources) {
            sentences.append(
                "Kept sources are damaged or missing: copy the original exports back into the folder of sources.")
        }
        return sentences.joined(separator: " ")
    }
}

extension ArchiveRepair.Report {
    /// What a repair saved and what not.
    package func document(path: String) -> Document {
        var lines = ["\(path): \(isComplete ? "everything was saved" : "some of it could not be saved")."]
        lines += lost.map { "Could not be read: \($0)." }
        lines += dropped.map {
            "Rows dropped because rows they refer to are missing: \($0.table), \(Counts.grouped($0.count))."
        }
        if !rederived.isEmpty {
            let ids = rederived.map { "\($0)" }.joined(separator: ", ")
            lines.append("Observations that differ from what was sealed: \(ids).")
        }
        let failed = check.failed.map(\.id)
        lines.append(
            failed.isEmpty
                ? "The new archive passes its deep check."
                : "The new archive does not pass its deep check: \(failed.joined(separator: ", ")).")
        return Document(lines.map { .paragraph($0) })
    }
}

extension RunLog {
    /// A table of rows.
    package static func document(_ rows: [Entry], _ zone: DisplayZone) -> Document {
        var table = Table([
            .right("Row"), .exact("At (\(zone.name))"), .words("What"), .words("Outcome"),
            .right("Observation", leftOut: 2), .left("Details", leftOut: 1),
        ])
        for entry in rows {
            table.addRow(
                [
                    "\(entry.id)", zone.time(Int64(entry.loggedAt)), entry.event, entry.outcome,
                    entry.importID.map { "\($0)" } ?? "",
                    (entry.fileTexts + entry.detailTexts.map { "\($0.name) \($0.text)" }).joined(separator: ", "),
                ], instants: [1: Int64(entry.loggedAt)])
        }
        return Document([rows.isEmpty ? .paragraph("The log is empty.") : .table(table)])
    }
}

extension RunLog.Entry {
    /// The offered file's name, size and hash.
    fileprivate var fileTexts: [String] {
        guard let file else { return [] }
        return [file.name, file.byteCount.map(Bytes.text), file.sha256.map { "SHA-256 \($0.hex)" }].compactMap { $0 }
    }
}

extension RecordedExport {
    /// The recorded exports, one a line.
    ///
    /// - Parameter again: what asks the question of an export again, on pages.
    package static func document(
        _ entries: [(export: RecordedExport, status: String)], _ zone: DisplayZone,
        again: ((RecordedExport) -> Document.Link?)? = nil
    ) -> Document {
        var document = Document(title: "Exports, times in \(zone.name)")
        guard !entries.isEmpty else {
            document.paragraph("No exports are recorded.")
            return document
        }
        var table = Table(
            [
                .right("Id"), .exact("Recorded at"), .words("Kind"), .right("From"), .right("To"), .right("Items"),
                .words("Status"), .exact("Manifest hash", leftOut: 1),
            ] + (again == nil ? [] : [.words("")]))
        for (export, status) in entries {
            table.addRow(
                [
                    "\(export.id)", zone.time(Int64(export.recordedAt)), export.kind,
                    export.fromObservation.map(String.init) ?? "", export.toObservation.map(String.init) ?? "",
                    Counts.grouped(export.recordCount), status, String(export.manifestHash.prefix(16)), "ask again",
                ],
                links: [
                    3: export.fromObservation.map { .observation($0) },
                    4: export.toObservation.map { .observation($0) }, 8: again?(export),
                ], instants: [1: Int64(export.recordedAt)])
        }
        document.append(.table(table))
        return document
    }
}

/// What to say of an archive that was put back.
package enum OlderCopy {
    /// The beginning of a sentence.
    package static let finding = "This is an older copy of the archive than the one last used here"
    /// What to do about it.
    package static let hint = "Restore the newer one, or accept this one with healthprobe seal --accept."
}
