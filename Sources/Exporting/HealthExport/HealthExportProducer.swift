internal import Archive
internal import ExportReading
internal import Foundation
internal import GRDB
internal import HealthModel
internal import TextFormats

/// Asks the archive and turns its answers into the bytes of an export's files, piece by piece.
final class HealthExportProducer {
    let members: [UnsafeZipSink.Member]
    /// MS-DOS time and date of all members: the observation's, in the offset of its dates.
    let time: UInt16
    let date: UInt16
    /// Length and hash of the main XML of a zip, once it is written.
    private(set) var xml = WrittenFile()
    private var sideMembers: [WrittenMember] = []

    private let db: Database
    private let request: HealthExportRequest
    private let isCancelled: () -> Bool
    private let filter: ProvenanceFilter
    private let reduced: ReducedForm?
    private let set: RecordSet
    private var finest: FinestState.Counts?
    private let plan: SideFilePlan?
    private let document: ExportedDocument
    private let lookup: ExportLookup
    private let renderer: HealthExportRenderer
    private var tally = ExportTally()
    private var hash = SHA256()
    private var items: Int64 = 0

    /// - Parameter key: the archive's key, for pseudonyms.
    /// - Throws: `keyUnreadable` where pseudonyms are asked for and the key is not there.
    init(
        _ db: Database, _ request: HealthExportRequest, key: ArchiveKey?, isCancelled: @escaping () -> Bool
    ) throws {
        self.db = db
        self.request = request
        filter = try ProvenanceFilter(request.provenance, key: key)
        reduced = filter.isFull ? nil : ReducedForm(filter, include: request.include)
        self.isCancelled = isCancelled
        lookup = ExportLookup(db)
        (set, finest) = try Self.set(db, request, lookup)
        document = try ExportedDocument.read(db, history: request.history)
        let offset = request.offsetSeconds ?? Int32(clamping: request.observation.offsetSeconds ?? 0)
        let plan =
            request.isZip
            ? try SideFilePlan(db, set, history: request.history, isWhole: request.isWhole, reduced: reduced) : nil
        self.plan = plan
        let options = RenderingOptions(
            offsetSeconds: offset, fillsCreationDates: request.fillsCreationDates,
            routeFiles: plan != nil || reduced != nil
                ? RouteFiles(tracks: plan?.tracks ?? [:], isReduced: reduced != nil) : nil,
            reduced: reduced)
        members =
            [UnsafeZipSink.Member(name: HealthExportJob.folder + HealthExportJob.mainName, byteCount: nil)]
            + (plan?.entries ?? []).map {
                UnsafeZipSink.Member(name: HealthExportJob.folder + $0.path, byteCount: $0.byteCount)
            }
        (time, date) = Self.dosTime(request.observation.observedAt + Int64(offset))
        renderer = HealthExportRenderer(lookup, ArchiveNames(db), options) { try VersionCursor(db) }
    }

    // MARK: - Running

    /// Writes everything; the result lacks what only the written file tells.
    func run(into queue: MemberQueue, _ progress: (Int64) -> Void) throws -> HealthExportManifest {
        defer { try? lookup.dropRoutes() }
        let keepsRoutes = !filter.leavesOut(SampleType.workoutRoute, include: request.include)
        try lookup.prepareRoutes(keepsRoutes ? set : nil)
        try queue.push(.begin(path: HealthExportJob.mainName, byteCount: nil))
        appendProlog()
        try appendCharacteristics()
        try appendItems(queue, progress)
        try appendRemainingRoutes(queue)
        renderer.out.append("</HealthData>\n")
        try flush(queue)
        try queue.push(.end)
        xml.sha256 = hash.finalize()
        for entry in plan?.entries ?? [] { try append(entry, queue) }
        tally.finish()
        if request.isWhole, let stored = request.observation.stateDigest, stored != tally.state {
            throw ArchiveError(
                .integrityFailure, "What was read from the archive is not the state of the observation.",
                hint: "Run healthprobe check --deep.")
        }
        return try manifest()
    }

    private func appendProlog() {
        let out = renderer.out
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        HealthExportGrammar(unknownNames: document.unknownNames, reduced: reduced).append(to: out)
        out.append("<HealthData")
        if let locale = request.observation.locale { out.appendAttribute("locale", locale) }
        append(extras: "HealthData@")
        out.append(">\n")
        for (name, value) in document.extras where name == "HealthData#text" {
            guard let shown = renderer.text(value) else { continue }
            out.appendEscaped(shown)
            out.append(0x0A)
        }
        out.append(" <ExportDate")
        // One that was no date stands among the extras, as it was printed.
        if !document.extras.contains(where: { $0.name == "ExportDate@value" }) {
            out.append(" value=\"")
            renderer.dates.append(request.observation.observedAt, to: out)
            out.append(0x22)
        }
        append(extras: "ExportDate@")
        out.append("/>\n")
    }

    private func append(extras prefix: String) {
        renderer.append(
            document.extras.filter { $0.name.hasPrefix(prefix) }.map {
                (name: String($0.name.dropFirst(prefix.count)), value: .string($0.value))
            }, of: String(prefix.dropLast()), nil)
    }

    /// The attributes of `Me`, blank where names are not printed as they are; a second value of one stands in a second element.
    private func appendCharacteristics() throws {
        let types = try lookup.characteristics()
        var rows: [[(name: String, value: JSON)]] = [[]]
        let scan = types.isEmpty ? nil : try VersionCursor(db, set.along(types: types, undated: true))
        while let scan, try scan.next() {
            guard let item = try scan.item, item.kind == .characteristic else { continue }
            let name = try renderer.identifier(scan.typeID)
            try count(scan, .characteristic, type: name)
            let row = rows.firstIndex { !$0.contains { $0.name == name } } ?? rows.count
            if row == rows.count { rows.append([]) }
            rows[row].append((name: name, value: item.value ?? .null))
        }
        for row in rows {
            renderer.out.append(" <Me")
            if let reduced {
                for name in row.compactMap({ reduced.attribute($0.name) }) { renderer.out.appendAttribute(name, "") }
            } else {
                renderer.append(row, of: "Me", nil)
            }
            renderer.out.append("/>\n")
        }
    }

    /// Counts a copy that is written.
    private func count(_ scan: VersionCursor, _ kind: ItemKind, type: @autoclosure () throws -> String) throws {
        try tally.add(scan, kind, isZip: request.isZip)
        if reduced != nil, kind != .record, let blanked = filter.blanked(in: try type()) {
            tally.leftOut[blanked, default: 0] += 1
        }
    }

    private func appendItems(_ queue: MemberQueue, _ progress: (Int64) -> Void) throws {
        let scan = try VersionCursor(db, set)
        while try scan.next() {
            let kind = try scan.kind
            var isPrinted = true
            switch kind {
            case .characteristic: continue
            // Routes are written inside their workouts, and what is left of them behind all others.
            case .electrocardiogram:
                guard request.isZip else {
                    try tally.leaveElectrocardiogram(scan)
                    continue
                }
                isPrinted = false
            case .workoutRoute:
                if reduced?.keeps(.routes) == false {
                    try tally.leave(scan, as: "routes")
                    continue
                }
                isPrinted = false
            default: break
            }
            try count(scan, kind, type: renderer.identifier(scan.typeID))
            items += 1
            if isPrinted { try renderer.append(scan, scan.item, level: 1) }
            if renderer.out.count >= HealthExportRenderer.chunkBytes {
                try flush(queue)
                progress(items)
            }
        }
    }

    private func appendRemainingRoutes(_ queue: MemberQueue) throws {
        let scan = try VersionCursor(db)
        var last: Int64 = 0
        while let next = try lookup.remainingRoutes(after: last) {
            last = next
            try scan.seek(next)
            try renderer.append(scan, scan.item, level: 1)
            if renderer.out.count >= HealthExportRenderer.chunkBytes { try flush(queue) }
        }
    }

    private func append(_ entry: SidePlanEntry, _ queue: MemberQueue) throws {
        var hash = SHA256()
        var byteCount: Int64 = 0
        try queue.push(.begin(path: entry.path, byteCount: entry.byteCount))
        try plan?.read(entry) { bytes in
            if isCancelled() { throw HealthExportJob.interrupted }
            bytes.withUnsafeBytes { hash.update($0) }
            byteCount += Int64(bytes.count)
            let buffer = ByteBuffer(capacity: bytes.count)
            bytes.withUnsafeBytes { buffer.append($0) }
            try queue.push(.bytes(buffer))
        }
        try queue.push(.end)
        let file = WrittenFile(byteCount: byteCount, sha256: hash.finalize())
        sideMembers.append(WrittenMember(path: entry.path, file: file))
    }

    private func flush(_ queue: MemberQueue) throws {
        if isCancelled() { throw HealthExportJob.interrupted }
        let buffer = renderer.out
        renderer.out = ByteBuffer(capacity: HealthExportRenderer.chunkBytes * 5 / 4)
        if request.isZip {
            hash.update(buffer.bytes)
            xml.byteCount += Int64(buffer.count)
        }
        try queue.push(.bytes(buffer))
    }

    private func manifest() throws -> HealthExportManifest {
        var manifest = HealthExportManifest(request)
        manifest.types = try tally.counts { renderer.element(try renderer.identifier($0)) }
        manifest.streamDigest = filter.isFull ? tally.stream.hex : nil
        manifest.stateDigest = tally.state.hex
        manifest.exportDateOrigin = document.observedAtOrigin
        manifest.exportID = try request.exportID(db)
        manifest.sideMembers = sideMembers
        manifest.missingFiles = plan?.missing ?? [:]
        manifest.renamedFiles = plan?.renamed ?? 0
        manifest.unresolvedNested = renderer.unresolvedNested
        manifest.finest = finest
        manifest.chain = filter.identifying(request.chain.name, domain: "source")
        manifest.exportVersion = request.observation.exportVersion.flatMap(renderer.text)
        manifest.leftOut = tally.leftOut
        manifest.electrocardiogramsLeft = tally.withoutZip
        for (kind, files) in plan?.leftOut ?? [:] { manifest.leftOut["\(kind.rawValue)Files"] = Int64(files) }
        manifest.undeclaredNames = document.unknownNames.contains(UnknownName.others)
        return manifest
    }

    // MARK: - The question

    /// The copies asked for, types and interval included.
    private static func set(
        _ db: Database, _ request: HealthExportRequest, _ lookup: ExportLookup
    ) throws -> (RecordSet, FinestState.Counts?) {
        let base: RecordSet
        var counts: FinestState.Counts?
        switch request.question {
        case .visible: base = .visible(request.chain, at: request.observation)
        case .ever: base = .ever(request.chain, through: request.observation)
        case .finest:
            let state = try FinestState(db, request)
            base = state.set
            counts = state.counts
        case .changes(let from, let kinds):
            try ChosenChanges.collect(db, request, from: from, kinds: kinds)
            base = .listed(in: ChosenChanges.table)
        }
        let chosen = base.filtered(
            types: try request.types.map { try lookup.types($0) }, since: request.since, until: request.until)
        return (chosen, counts)
    }

    /// Local seconds as MS-DOS fields, which begin in 1980 and end in 2107.
    private static func dosTime(_ local: Int64) -> (time: UInt16, date: UInt16) {
        let (days, seconds) = CivilDate.dayAndSecond(local)
        let day = CivilDate.date(daysSince1970: days)
        guard (1980...2107).contains(day.year) else { return (0, 0x21) }
        return (
            UInt16(seconds / 3600 << 11 | seconds / 60 % 60 << 5 | seconds % 60 / 2),
            UInt16((day.year - 1980) << 9 | day.month << 5 | day.day)
        )
    }
}
