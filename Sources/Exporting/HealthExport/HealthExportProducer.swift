internal import Basics
internal import Foundation
internal import HealthModel
internal import Questions
internal import Store

/// Asks the archive and turns its answers into the bytes of an export's files, piece by piece.
final class HealthExportProducer {
    let context: ExportContext
    private let isCancelled: () -> Bool
    private let filter: ProvenanceFilter
    private let reduced: ReducedForm?
    private let set: RecordSet
    private let groups: GroupExpansion.Counts?
    private let plan: SideFilePlan?
    private let document: ExportedDocument
    private let lookup: ExportLookup
    private let identities: IdentityCheck
    private let renderer: HealthExportRenderer
    private var tally = ExportTally()
    private var counts: [Int64: ExportTally.TypeCounts] = [:]
    private var lastType: Int64 = -1
    private var last = ExportTally.TypeCounts()
    private var items: Int64 = 0
    private var declaresAll = true

    private var question: ExportQuestion { context.question }
    private var snapshot: Snapshot { context.snapshot }

    /// - Parameter key: the archive's key, for pseudonyms.
    /// - Throws: `keyUnreadable` where pseudonyms are asked for and the key is not there.
    init(_ context: ExportContext, key: ArchiveKey?, isCancelled: @escaping () -> Bool) throws {
        self.context = context
        let (question, db) = (context.question, context.snapshot.db)
        filter = try ProvenanceFilter(question.provenance, key: key)
        reduced = filter.isFull ? nil : ReducedForm(filter, include: question.include)
        self.isCancelled = isCancelled
        lookup = ExportLookup(db)
        identities = IdentityCheck(context.snapshot.names)
        let history = context.history.map(\.id)
        (set, groups) = try HealthExportSet.choose(context, lookup)
        document = try ExportedDocument.read(db, history: history)
        let offset = question.offsetSeconds ?? Int32(clamping: context.to.offsetSeconds ?? 0)
        let plan =
            question.isZip
            ? try SideFilePlan(
                db, set, history: history, isWhole: question.isWhole, reduced: reduced,
                sharing: question.sharing) : nil
        self.plan = plan
        var routeFiles = plan?.routeFiles ?? (reduced == nil ? nil : RouteFiles())
        routeFiles?.isReduced = reduced != nil
        let options = RenderingOptions(
            offsetSeconds: offset, fillsCreationDates: question.fillsCreationDates,
            routeFiles: routeFiles, reduced: reduced,
            leavesOutLocations: question.sharing?.trimsTracks ?? false)
        renderer = HealthExportRenderer(lookup, context.snapshot.names, options, rows: try VersionCursor(db))
    }

    /// Writes everything into a sink and waits for its end; the manifest lacks what only the written file says.
    func run(into sink: any MemberSink, _ progress: (Int64) -> Void) throws -> HealthExportManifest {
        let writer = HealthExport.writer(to: sink)
        do {
            try append(to: writer, progress)
            try identities.finish()
            return try manifest(writer.finish())
        } catch {
            writer.cancel()
            // A writer that stopped makes the next push fail; any other error is the producer's own.
            throw error is CancellationError ? writer.failure ?? error : error
        }
    }

    private func append(to writer: MemberWriter, _ progress: (Int64) -> Void) throws {
        let inSet = try VersionCursor(snapshot.db, set.ofSample())
        renderer.noteNested = { [unowned self] row in
            // A reader counts a nested record as an item of its own where no equal one is written beside its parent.
            var isInSet = try inSet.find(row.sampleID)
            while isInSet, try inSet.version != row.version { isInSet = try inSet.next() }
            inSet.reset()
            if !isInSet { tally.addNested(row) }
        }
        let keepsRoutes = !filter.leavesOut(.workoutRoute, include: question.include)
        try lookup.prepareRoutes(keepsRoutes ? set : nil, by: context.history.map(\.id))
        try writer.push(.begin(HealthExport.mainName))
        appendProlog()
        try appendCharacteristics()
        try appendItems(writer, progress)
        try appendRemainingRoutes(writer)
        renderer.out.append("</HealthData>\n")
        try flush(writer)
        try writer.push(.end)
        for entry in plan?.entries ?? [] { try append(entry, writer) }
        turn(to: -1)
        let names = try TypeNames(context, filter)
        for (type, counts) in counts {
            let type = try snapshot.names.type(type)
            tally.add(type: TypeNames.isPlain(type) ? renderer.element(type) : names.printed(type), counts)
        }
        guard question.isWhole, let stored = context.to.stateDigest else { return }
        let isReadBack = question.isZip && filter.isFull && tally.nestedAlone == 0
        guard tally.state == stored, !isReadBack || tally.stream == stored else {
            throw HealthProbeError(
                .integrityFailure, "What was read from the archive differs from the observation's state.",
                hint: "Run healthprobe check --deep.")
        }
    }

    private func appendProlog() {
        let out = renderer.out
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        declaresAll = HealthExportGrammar(unknownNames: document.unknownNames, reduced: reduced).append(to: out)
        out.append("<HealthData")
        if let locale = context.to.locale { out.appendAttribute("locale", locale) }
        append(extras: "HealthData@")
        out.append(">\n")
        for (name, value) in document.extras where name == "HealthData#text" {
            guard let shown = renderer.text(value) else { continue }
            out.appendEscaped(shown)
            out.append(0x0A)
        }
        out.append(" <ExportDate")
        // One that was no date is among the extras, as it was printed.
        if !document.extras.contains(where: { $0.name == "ExportDate@value" }) {
            out.append(" value=\"")
            renderer.dates.append(context.to.observedAt, to: out)
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

    /// The attributes of `Me`, blank where names are not printed as they are; a second value of one is in a second element.
    private func appendCharacteristics() throws {
        let types = try lookup.characteristics()
        var rows: [[(name: String, value: JSON)]] = [[]]
        /// How many values of each attribute there were.
        var written: [String: Int] = [:]
        let scan = types.isEmpty ? nil : try VersionCursor(snapshot.db, set.along(types: types, undated: true))
        while let scan, let stored = try next(scan) {
            guard let item = try stored.item(in: renderer.arena), item.kind == .characteristic else { continue }
            let name = try snapshot.names.type(stored.typeID)
            try count(stored, item)
            let row = written[name, default: 0]
            written[name] = row + 1
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

    /// The next row of a scan, its texts in the renderer's arena; nil behind the last.
    private func next(_ scan: VersionCursor) throws -> HeldVersion? {
        guard try scan.next() else { return nil }
        renderer.arena.removeAll()
        return try scan.held(in: renderer.arena)
    }

    /// Counts a row that is written.
    private func count(_ row: HeldVersion, _ item: StoredItem?) throws {
        try identities.add(row, item, in: renderer.arena)
        if row.typeID != lastType { turn(to: row.typeID) }
        last.add(row)
        tally.addDigests(row)
        if reduced != nil, let blanked = filter.blanked(in: row.kind) { tally.leave(blanked) }
    }

    /// Stores the counts of the type before; consecutive rows mostly share theirs.
    private func turn(to type: Int64) {
        if lastType >= 0 { counts[lastType] = last }
        last = counts[type] ?? ExportTally.TypeCounts()
        lastType = type
    }

    private func appendItems(_ writer: MemberWriter, _ progress: (Int64) -> Void) throws {
        let scan = try VersionCursor(snapshot.db, set)
        while let row = try next(scan) {
            let item = try row.item(in: renderer.arena)
            var isPrinted = true
            switch row.kind {
            case .characteristic: continue
            // Routes are written inside their workouts, and the others after everything else.
            case .electrocardiogram:
                guard question.isZip else {
                    tally.leaveElectrocardiogram(row)
                    continue
                }
                isPrinted = false
            case .workoutRoute:
                if reduced?.keeps(.routes) == false {
                    tally.leave(row, as: "routes")
                    continue
                }
                isPrinted = false
            default: break
            }
            try count(row, item)
            items += 1
            if isPrinted {
                try renderer.append(row, item, level: 1)
                lookup.endItem()
            }
            if renderer.out.count >= HealthExportRenderer.chunkBytes {
                try flush(writer)
                progress(items)
            }
        }
    }

    private func appendRemainingRoutes(_ writer: MemberWriter) throws {
        for next in lookup.remainingRoutes {
            renderer.arena.removeAll()
            let row = try renderer.row(next)
            let item = try row.item(in: renderer.arena)
            if item?.workoutKey.isEmpty == false { tally.addAlone() }
            try renderer.append(row, item, level: 1)
            lookup.endItem()
            if renderer.out.count >= HealthExportRenderer.chunkBytes { try flush(writer) }
        }
    }

    private func append(_ entry: SideFilePlan.Entry, _ writer: MemberWriter) throws {
        try writer.push(.begin(entry.path))
        try plan?.read(entry) { bytes in
            if isCancelled() { throw FileFailure.interrupted }
            let buffer = ByteBuffer(capacity: bytes.count)
            bytes.withByteView { buffer.append($0) }
            try writer.push(.bytes(buffer))
        }
        try writer.push(.end)
    }

    private func flush(_ writer: MemberWriter) throws {
        if isCancelled() { throw FileFailure.interrupted }
        let buffer = renderer.out
        renderer.out = ByteBuffer(capacity: HealthExportRenderer.chunkBytes * 5 / 4)
        try writer.push(.bytes(buffer))
    }

    private func manifest(_ members: [WrittenMember]) -> HealthExportManifest {
        for (kind, files) in plan?.leftOut ?? [:] { tally.leave("\(kind.rawValue)Files", count: Int64(files)) }
        var manifest = HealthExportManifest(context, tally, members)
        manifest.exportDateOrigin = document.observedAtOrigin
        manifest.missingFiles = plan?.missing ?? [:]
        manifest.renamedFiles = plan?.renamed ?? 0
        manifest.unresolvedNested = renderer.unresolvedNested
        manifest.groups = groups
        manifest.chain = filter.identifying(context.chain.name, domain: "source")
        manifest.exportVersion = context.to.exportVersion.flatMap(renderer.text)
        manifest.undeclaredNames = !declaresAll || document.unknownNames.contains(UnknownName.others)
        return manifest
    }
}
