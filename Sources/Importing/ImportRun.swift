internal import Basics
internal import ExportReading
internal import Foundation
internal import HealthModel
internal import History
internal import Store

/// The reading side of one import: side files first, then the XML, then ECGs.
struct ImportRun {
    let container: ExportContainer
    let options: ImportOptions
    let header: DocumentHeader
    let session: ImportSession
    let kept: KeptSource
    /// Whether the ECGs of the observation are all there; otherwise they stay as they were before it, and none is read.
    let readsElectrocardiograms: Bool
    let isCancelled: @Sendable () -> Bool

    func run(_ progress: (ImportProgress) -> Void) throws -> ImportDocument {
        var result = ImportDocument()
        try storeSideFiles(&result)
        let others = kept.choice == .none ? nil : OtherMemberHashes(container, isCancelled: isCancelled)
        let reader = ExportReader(container, types: options.types)
        var names = NameCensus()
        var kinds = KindCounts()
        var items: Int64 = 0
        var bytes: Int64 = 0
        func take(_ page: ItemPage) throws {
            if isCancelled() { throw HealthProbeError.interrupted }
            try names.add(page)
            kinds.add(page)
            try session.write(page)
            items += Int64(page.items.count)
            bytes = max(bytes, page.bytePosition)
            progress(
                ImportProgress(
                    bytesDone: bytes, bytesTotal: container.mainByteCount, items: items, phase: "reading",
                    kinds: kinds.kinds))
        }
        let document = try reader.read(deliver: take)
        try names.add(leftOut: document.leftOutTypes)
        let electrocardiograms =
            readsElectrocardiograms ? session.earlierFiles.filter { ElectrocardiogramFile.isOne($0.path) } : []
        result.unknown = try reader.readElectrocardiograms(
            exportOffset: document.offsetSeconds, knowsAll: readsElectrocardiograms,
            stored: electrocardiograms.map { file in
                (
                    file.path,
                    { try file.byteCount <= ElectrocardiogramFile.maximumBytes ? session.bytes(of: file) : nil }
                )
            } + session.earlierDamage.map { ($0, { nil }) }, deliver: take)
        progress(
            ImportProgress(
                bytesDone: container.mainByteCount, bytesTotal: container.mainByteCount, items: items,
                phase: "comparing", kinds: kinds.kinds))
        describe(document, &result)
        if !options.types.includes(SampleType.electrocardiogram),
            !electrocardiograms.isEmpty || container.sideFiles.contains(where: { ElectrocardiogramFile.isOne($0.path) })
        {
            result.leftOutTypes.insert(ExactText(SampleType.electrocardiogram))
        }
        try describeSource(document, others, &result)
        try container.requireUnchanged()
        return result
    }

    private func storeSideFiles(_ result: inout ImportDocument) throws {
        for file in container.sideFiles {
            if isCancelled() { throw HealthProbeError.interrupted }
            var hash = SideFileHash(kind: file.kind)
            var bytes = SHA256()
            do {
                try container.read(file) {
                    if isCancelled() { throw HealthProbeError.interrupted }
                    hash.update($0)
                    bytes.update($0)
                }
            } catch is DamagedSource {
                note(file, nil, &result)
                result.warnings.append("A damaged side file was not stored: \(file.kind.rawValue).")
                continue
            }
            let (digest, stored) = (hash.finalize(), bytes.finalize())
            note(file, stored, &result)
            if let id = try store(file, digest, stored) {
                result.sideFiles.append((file.path, id))
            } else {
                result.warnings.append(
                    "A side file has the bytes of another kind's canonical form and was not stored: \(file.kind.rawValue)."
                )
            }
        }
        let present = Set(result.sideFiles.map(\.path))
        for file in session.earlierFiles where !present.contains(file.path) {
            result.sideFiles.append((file.path, file.id))
        }
    }

    /// Stores a side file where the archive does not have it yet; nil where its hash is another file's.
    private func store(_ file: SideFile, _ digest: Digest256, _ bytes: Digest256) throws -> Int64? {
        if let known = try session.sideFile(digest) {
            // The canonical form of a route is not its bytes, and those of another file may be just that.
            let isRoute = known.kind == .workoutRoute
            return isRoute == (file.kind == .workoutRoute) || known.bytes == bytes ? known.id : nil
        }
        return try session.storeSideFile(digest, bytes, kind: file.kind) { try container.read(file, $0) }
    }

    private func note(_ file: SideFile, _ digest: Digest256?, _ result: inout ImportDocument) {
        guard kept.choice != .none else { return }
        result.sourceMembers.append(
            SourceMember(
                path: container.memberPrefix + file.path, role: .sideFile, byteCount: file.byteCount, sha256: digest))
    }

    private func describeSource(
        _ document: ExportReader.Document, _ others: OtherMemberHashes?, _ result: inout ImportDocument
    ) throws {
        result.keptSource = kept
        if container.form == .xml, let name = kept.name, name != "\(document.xmlDigest.hex).xml" {
            throw HealthProbeError.changedWhileRead
        }
        guard let others else { return }
        var found = try others.take()
        found.members += result.sourceMembers
        found.members.append(
            SourceMember(
                path: container.mainName, role: .main, byteCount: document.xmlByteCount, sha256: document.xmlDigest))
        result.sourceMembers = found.members
        result.warnings += found.warnings
    }

    private func describe(_ document: ExportReader.Document, _ result: inout ImportDocument) {
        result.isComplete = document.isComplete
        result.warnings += container.warnings
        result.offsetSeconds = document.offsetSeconds.map { Int64($0) }
        result.locale = document.header.locale
        result.exportVersion = document.prolog.exportVersion
        result.doctype = document.prolog.doctype
        if !document.header.extras.isEmpty {
            result.extras =
                JSON.array(
                    document.header.extras.map { .array([.string($0.name), .string($0.value)]) }
                ).canonicalText
        }
        result.xmlByteCount = document.xmlByteCount
        result.xmlSHA256 = document.xmlDigest
        result.stop = document.header.stop.map { (Int64($0.line), $0.byte, $0.text) }
        result.repairs = document.repairs.entries.map { ($0.kind.rawValue, $0.count, $0.firstLine) }
        result.unknown.merge(document.unknownCounts) { $0 + $1 }
        result.leftOutTypes = document.leftOutTypes
        if let stated = header.exportDate, let given = options.observedAt, stated.seconds != given {
            result.warnings.append(
                "The export states another date; the date given with --observed-at is used.")
        }
        if header.exportDate == nil, options.observedAt == nil {
            let isThere = header.exportDateText != nil
            result.warnings.append(
                "\(isThere ? "The export's date cannot be read" : "The export states no date"); the file's modification time was "
                    + "taken instead.")
        }
    }
}
