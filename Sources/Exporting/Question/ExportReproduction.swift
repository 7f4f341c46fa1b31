package import Care
package import Evidence
internal import HealthModel
internal import Questions
package import Store

/// Recorded exports, asked again: the same question of the same states must have the same manifest hash.
package enum ExportReproduction {
    /// What became of a recorded export.
    package enum Status: String, Sendable {
        /// The states that it was asked of are what they were; it was not run again.
        case current
        /// The chain has got an older observation, or what one lacked, since: the question has another answer now. Or another
        /// version of the program wrote a Health export, and wrote it in other words.
        case superseded
        /// Run again, with the same manifest and item hashes.
        case reproduced
        /// Run again, with others.
        case differs
        /// Its pseudonyms need a key that is not there, or that is another one now.
        case keyMissing
        /// Another program recorded it.
        case unknown
    }

    /// The id of the invariant in `docs/archive-format.md`.
    package static let invariant = "X01-exportsReproduce"

    /// What became of an export, as far as that is known without running it again.
    /// - Parameter hasKey: whether the key of pseudonyms is there.
    package static func status(_ db: ArchiveDatabase, _ export: RecordedExport, hasKey: Bool) throws -> Status {
        try find(db, export, hasKey: hasKey).status
    }

    /// The status of an export, and where it can be asked again; nil where the states are others now.
    private static func find(
        _ db: ArchiveDatabase, _ export: RecordedExport, hasKey: Bool
    ) throws -> (status: Status, context: ExportContext?) {
        guard let question = ExportQuestion(json: export.question) else { return (.unknown, nil) }
        if question.provenance == .hashed, !hasKey { return (.keyMissing, nil) }
        do {
            let context = try ExportContext(Snapshot(db, chain: question.chain), question)
            if context.exportID == export.exportID { return (.current, context) }
            return (context.isOfEarlierKey(export.exportID) ? .keyMissing : .superseded, nil)
        } catch let error as HealthProbeError where [.unknownObservation, .unknownChain].contains(error.code) {
            return (.superseded, nil)
        }
    }

    /// What became of an export.
    /// - Parameter rerun: run it again.
    package static func status(
        _ db: ArchiveDatabase, _ export: RecordedExport, key: ArchiveKey?, rerun: Bool
    ) throws -> Status {
        let (status, found) = try find(db, export, hasKey: key != nil)
        guard rerun, let context = found else { return status }
        if context.question.kind == .health {
            let manifest = try HealthExport.preview(context.snapshot, context.question, key: key)
            if manifest.contentHash == export.manifestHash { return .reproduced }
            // Another version of the program may write the same content in other words.
            return export.program == HealthModel.program ? .differs : .superseded
        }
        let (manifestHash, items) = try BagExport.rerun(context, key: key)
        guard manifestHash == export.manifestHash else { return .differs }
        guard export.hasItems else { return .reproduced }
        var position = 0
        var isEqual = true
        try context.snapshot.forEachItemHash(of: export) { hash in
            isEqual = items.map { position < $0.count && $0[position].hash == hash } ?? false
            position += 1
            return isEqual
        }
        return isEqual && position == items?.count ?? 0 ? .reproduced : .differs
    }

    /// What became of all recorded exports.
    /// - Parameter rerun: run them again.
    package static func statuses(
        _ db: ArchiveDatabase, _ file: KeyFile, rerun: Bool
    ) throws -> [(export: RecordedExport, status: String)] {
        let key = try? file.read()
        return try RecordedExport.all(db).map { ($0, try status(db, $0, key: key, rerun: rerun).rawValue) }
    }

    /// Tests that every recorded export whose states are unchanged comes out as it was recorded.
    ///
    /// - Parameter deep: also those that are too large to be recorded item by item.
    /// - Complexity: one pass over what each of them exports.
    package static func check(_ reader: ArchiveReader, key: ArchiveKey?, deep: Bool) throws -> CheckResult.Invariant {
        do {
            let broken = try reader.read { db in
                try RecordedExport.all(db).filter { export in
                    let isSmall = export.recordCount <= Int64(ItemFinisher.maximumRecorded)
                    return try status(db, export, key: key, rerun: deep || isSmall) == .differs
                }
            }
            let ids = broken.prefix(10).map { String($0.id) }.joined(separator: ", ")
            return .init(
                id: invariant, holds: broken.isEmpty,
                detail: broken.isEmpty ? nil : "\(broken.count) exports do not come out as recorded (rows \(ids))")
        } catch let error as HealthProbeError where error.code != .interrupted {
            return .init(id: invariant, holds: false, detail: "exports cannot be run again: \(error.code.rawValue)")
        }
    }
}
