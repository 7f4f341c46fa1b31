internal import Days
internal import HealthModel
package import Presentation
package import Questions
internal import Store

extension DiffSummary {
    /// The counts by type; types without a change are counted together.
    ///
    /// - Parameters:
    ///   - mostDays: of all types together; `--json` has more.
    ///   - isSorted: whether the types that changed most come first, and those with new records alone are folded.
    ///   - explained: how many of a type's records that are no longer visible an analysis explains; nil where there is none.
    package func document(
        _ zone: DisplayZone, mostDays: Int = .max, explained: [String: Int64]? = nil, isSorted: Bool = false
    ) -> Document {
        var document = Wording.comparison(from, to, through: through, zone)
        for sentence in Wording.partial(from, to) { document.paragraph(sentence) }
        document.paragraph(
            Wording.changes(
                appeared: sum(\.appeared), disappeared: sum(\.disappeared), changed: sum(\.representationChanged),
                current: "observation \(to.id)", isExplained: explained != nil))
        if let sentence = Wording.sideFiles(sideFiles) { document.paragraph(sentence) }
        var changes = ChangeTable(sizes: ["Before", "After"], isSorted: isSorted)
        for type in types {
            changes.add(
                shortIdentifier(type.type), sizes: [type.before, type.after], appeared: type.appeared,
                disappeared: type.disappeared, changed: type.representationChanged, matchRules: type.matchRules,
                fields: type.changedFields, labels: Wording.labels(type),
                explained: explained.map { $0[type.type] ?? 0 }, isAlwaysShown: !type.labels.isEmpty,
                link: .comparison("diff/records", from: from.id, to: to.id, through: through, type: type.type))
        }
        changes.append(to: &document)
        let days = self.zone.map(Wording.zoneName) ?? "none"
        var changed = changedDays
        changed.keepFirst(mostDays)
        document.section("Days that changed (time zone \(days)), largest difference first", changed)
        let new = types.filter { $0.days.count > $0.days.known }
        if !new.isEmpty {
            let names = new.map {
                "\(shortIdentifier($0.type).quoted) \(Counts.grouped($0.days.count - $0.days.known))"
            }
            let list = names.joined(separator: ", ")
            if isSorted {
                document.append(.folded("Days that had no records before", [.paragraph(list)]))
            } else {
                document.paragraph("Not listed, days that had no records before: " + list, .apart)
            }
        }
        let uncertain = types.filter { !$0.uncertainty.isEmpty }
        document.section("Uncertain", uncertain.map { Wording.uncertain($0.type, $0.uncertainty) })
        return document
    }

    /// A few days of each type of which a day with records before changed; of one type alone all that are kept.
    private var changedDays: Table {
        let isOne = types.count == 1
        let shown = types.map { (type: $0, days: $0.days.largestKnown.prefix(isOne ? .max : Self.daysShown)) }
        var table = Table(
            [
                .name("Type"), .exact("Day"), .words("Measure", leftOut: 1), .right("Before"), .right("After"),
                .right("Difference"), .left("Unit"),
            ] + Wording.labelColumn(shown.flatMap(\.days)))
        for (type, days) in shown where type.days.known > 0 {
            for day in days {
                table.addRow(
                    [shortIdentifier(type.type), day.label, day.measure?.kind.rawValue ?? ""]
                        + Wording.values(day, Wording.number) + Wording.labels(day),
                    links: [
                        3: day.before == nil ? nil : .day(day.label, at: from.id, type: type.type),
                        4: day.after == nil ? nil : .day(day.label, at: to.id, type: type.type),
                    ])
            }
            if type.days.known > days.count {
                let more = Document.Link.comparison(from: from.id, to: to.id, through: through, type: type.type)
                table.addRow(
                    [shortIdentifier(type.type), "\(Counts.grouped(type.days.known - days.count)) more"], dim: true,
                    links: isOne ? [:] : [1: more])
            }
        }
        return table
    }

    /// Days shown of each of several types; `--json` has more.
    private static let daysShown = 3
}

extension RecordChange {
    /// `+` for a record that appeared, `-` for one that is no longer visible, `~` before and `>` after a change.
    package func document(_ zone: DisplayZone) -> Document {
        switch self {
        case .appeared(let record): Document([.list([record.item(zone, marker: "+")], isIndented: false)])
        case .disappeared(let record): Document([.list([record.item(zone, marker: "-")], isIndented: false)])
        case .representationChanged(let matchRule, let changedFields, let steps, let before, let after):
            Document([
                .list(
                    [
                        before.item(zone, marker: "~"),
                        after.item(zone, marker: ">", note: Wording.reason(matchRule, changedFields, steps)),
                    ], isIndented: false)
            ])
        }
    }
}
