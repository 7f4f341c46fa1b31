internal import HealthModel
internal import Questions
internal import Store

/// The items of one question in order, and what the provenance profile leaves out of them.
final class ItemSource {
    private let context: ExportContext
    private let filter: ProvenanceFilter
    /// The types wanted, in the order of their printed names.
    private let types: [(id: Int64, identifier: String)]
    private let identifiers: [Int64: String]
    /// How types are printed.
    let names: TypeNames
    /// The side files of the items; nil where they were not asked for.
    let files: ItemFiles?
    private var selection: SelectionStream?
    private var identities: IdentityCheck?
    private(set) var tally = ExportTally()

    private var snapshot: Snapshot { context.snapshot }

    /// Prepares the items; of a diff or a selection they are found now.
    init(_ context: ExportContext, _ filter: ProvenanceFilter) throws {
        self.context = context
        self.filter = filter
        let question = context.question
        files = question.include.isEmpty ? nil : try ItemFiles(context)
        let all = try SampleTypeNames.sorted(context.snapshot.db)
        identifiers = Dictionary(all.map { ($0.id, $0.identifier) }) { first, _ in first }
        let names = try TypeNames(context, filter)
        self.names = names
        let wanted = question.types.map(Set.init)
        types = all.filter { wanted?.contains($0.identifier) ?? true }
            .sorted { ExactText(names.printed($0.identifier)) < ExactText(names.printed($1.identifier)) }
        if question.kind.hasTwoSides {
            let selection = try SelectionStream(context.snapshot.db, names: names.byID)
            self.selection = selection
            try ChangeSelector.fill(selection, context)
            try selection.restrict(since: question.since, until: question.until)
        }
    }

    /// Removes what was kept for it.
    func close() { selection?.drop() }

    /// How many items there will be at most, where that is known beforehand.
    func expectedCount() throws -> Int64? {
        if let selection { return try selection.counts().reduce(0) { $0 + $1.count } }
        let question = context.question
        guard question.kind == .records, question.state == .visible, question.since == nil, question.until == nil else {
            return nil
        }
        return try snapshot.visibleCount(at: context.to.id, types: types.map(\.id))
    }

    /// Writes all items into a sink.
    ///
    /// - Throws: `integrityFailure` for a row whose identity does not follow from its fields.
    /// - Parameter measuring: how many items of each type are written at all; nil for every one. The others are counted.
    func write(to sink: ItemSink, measuring limit: Int64? = nil) throws {
        let summary = SummaryItems(filter: filter, names: names)
        switch context.question.kind {
        case .records: try writeRecords(sink, limit)
        case .diff, .selection, .health: try writeSelection(sink, limit)
        case .types:
            let runs = try ObservationReport.read(snapshot.db, context.to).types
                .filter { context.question.types?.contains($0.type) ?? true }
                .sorted { ExactText(names.printed($0.type)) < ExactText(names.printed($1.type)) }
            for run in runs {
                tally.add(type: names.printed(run.type))
                try sink.append(summary.item(run))
            }
        case .manifest:
            for observation in context.history {
                let report = try ObservationReport.read(snapshot.db, observation)
                try sink.append(summary.item(report, seals: snapshot.seals(of: observation.id)))
            }
        }
        try identities?.finish()
    }

    private func writeRecords(_ sink: ItemSink, _ limit: Int64?) throws {
        let question = context.question
        let set = try question.state.rows(
            snapshot, at: context.to, types: context.types, around: question.interval
        ).set.filtered(since: question.since, until: question.until)
        let stream = try RecordListing(snapshot.db, set)
        let ofSample = try VersionCursor(snapshot.db, set.filtered(types: types.map(\.id)).ofSample())
        let writer = try writer(hasRole: false) { [unowned self] in try ofSample.find($0) && !leavesOut(ofSample.kind) }
        for type in types {
            var count: Int64 = 0
            let printed = names.printed(type.identifier)
            try stream.forEach(type: type.id) { record in
                guard take(record) else { return }
                count += 1
                if let limit, count > limit { return }
                try sink.append { try writer.append(record, type: printed, arena: stream.arena, to: $0) }
            }
            if count > 0 { tally.add(type: printed, count: count) }
        }
    }

    private func writeSelection(_ sink: ItemSink, _ limit: Int64?) throws {
        guard let selection else { return }
        let writer = try writer(hasRole: true) { try selection.contains(sample: $0) }
        var counts: [Int64: Int64] = [:]
        try selection.forEach { entry in
            guard take(entry.record) else { return }
            let id = entry.record.typeID
            let type = names.printed(identifiers[id] ?? "")
            counts[id, default: 0] += 1
            let role = ItemRole(rawValue: entry.role)
            if let role { tally.roles[role, default: 0] += 1 }
            if let limit, counts[id, default: 0] > limit { return }
            let group = entry.group.map { "\((role ?? .appeared).groupPrefix)-\($0)" }
            try sink.append { block in
                try writer.append(
                    entry.record, type: type, arena: selection.arena, role: role, group: group, to: block)
            }
        }
        for (type, count) in counts { tally.add(type: names.printed(identifiers[type] ?? ""), count: count) }
    }

    private func writer(hasRole: Bool, isExported: @escaping (Int64) throws -> Bool) throws -> ItemWriter {
        let identities = IdentityCheck(snapshot.names)
        self.identities = identities
        return ItemWriter(
            filter: filter, shared: SharedTexts(snapshot.names, filter),
            visibility: try VisibilityTexts(snapshot, through: context.to),
            relationships: try Relationships(snapshot, filter, by: context.history.map(\.id), isExported: isExported),
            files: files,
            identities: identities, hasRole: hasRole)
    }

    /// Counts what the profile leaves out of a record; false where it leaves out the record itself.
    private func take(_ record: HeldVersion) -> Bool {
        guard !leavesOut(record.kind) else {
            tally.leave("routes")
            return false
        }
        if let blanked = filter.blanked(in: record.kind) { tally.leave(blanked) }
        return true
    }

    private func leavesOut(_ kind: ItemKind) -> Bool { filter.leavesOut(kind, include: context.question.include) }
}
