internal import Basics
internal import Days
internal import Foundation
internal import HealthModel
internal import History
internal import Presentation
internal import Questions
internal import Store

/// The words for what the archive found: neutral, and no more than the evidence says.
enum Wording {
    /// How two representations were linked.
    static func matchRule(_ rule: MatchRule) -> String {
        switch rule {
        case .strictKey: "same sample"
        case .syncIdentifier: "same sync identifier"
        case .externalUUID: "same external UUID"
        case .activityUUID: "same workout activity"
        case .unitConversion: "other unit"
        case .valueSynonym: "other word for the same value"
        case .lineage: "several changes in between"
        }
    }

    /// What a changed field is called.
    static func field(_ name: String) -> String {
        switch name {
        case "sourceName": "source name"
        case "sourceVersion": "source version"
        case "device": "device text"
        case "creationDate": "creation date"
        case "startDate": "start"
        case "endDate": "end"
        default: name
        }
    }

    /// The column for labels of days; none where no day has any.
    static func labelColumn(_ days: some Collection<ChangedDays.Day>) -> [Table.Column] {
        days.contains { !$0.labels.isEmpty } ? [.words("Reason")] : []
    }

    /// The cells of a day's values: before, after, their difference, and the unit.
    static func values(_ day: ChangedDays.Day, _ text: (Double?) -> String) -> [String] {
        [day.before?.value, day.after?.value, day.difference].map {
            text(day.measure?.kind == .count ? $0 : Percent.shown($0, day.measure?.unit))
        } + [day.measure?.unit ?? ""]
    }

    /// The cells of a day's labels; left off the row of a day without any.
    static func labels(_ day: ChangedDays.Day) -> [String] {
        let words = day.labels.map { $0 == .consolidationLikely ? "consolidation likely" : $0.rawValue }
        return words.isEmpty ? [] : [words.joined(separator: ", ")]
    }

    /// What the labels of a type say beside its counts: `consolidation likely; daily aggregate changed`.
    static func labels(_ type: DiffSummary.TypeDiff) -> String {
        type.labels.compactMap { label in
            switch label {
            case .consolidationLikely: "consolidation likely"
            case .aggregateChanged: type.days.known > 0 ? "daily aggregate changed" : "total changed"
            case .valueRevised: "value revised"
            case .uncertain: "uncertain"
            case .appeared, .disappeared, .representationChanged: nil
            }
        }.joined(separator: "; ")
    }

    /// `same sample: source name, device text 1`; counts are given where they differ from the number of changes.
    static func reasons(_ matchRules: [(String, Int64)], _ fields: [(String, Int64)], changed: Int64) -> String {
        func list(_ counts: [(String, Int64)], _ name: (String) -> String) -> String {
            counts.filter { $0.1 > 0 }.map { $0.1 == changed ? name($0.0) : "\(name($0.0)) \(Counts.grouped($0.1))" }
                .joined(separator: ", ")
        }
        let how = list(matchRules) { MatchRule(name: $0).map(matchRule) ?? $0 }
        let what = list(fields, field)
        return what.isEmpty ? how : how + ": " + what
    }

    /// The sentence over a comparison.
    static func changes(
        appeared: Int64, disappeared: Int64, changed: Int64, current: String, isExplained: Bool = false
    ) -> String {
        let parts = [
            (appeared, "appeared"), (disappeared, "no longer visible in \(current)"),
            (changed, "changed representation"),
        ].filter { $0.0 > 0 }
        guard let first = parts.first else { return "Nothing appeared, disappeared or changed." }
        let texts =
            ["\(Counts.of(first.0, "record")) \(first.1)"] + parts.dropFirst().map { "\(Counts.grouped($0.0)) \($0.1)" }
        return texts.joined(separator: ", ") + (disappeared > 0 && !isExplained ? ". Cause not inferred." : ".")
    }

    /// How side files differ, by kind; nil where none does.
    static func sideFiles(_ diffs: [SideFileDiff]) -> String? {
        let kinds = diffs.filter { !$0.isEmpty }.map { diff in
            let parts = [(diff.appeared, "appeared"), (diff.disappeared, "no longer there"), (diff.changed, "changed")]
            let name =
                switch diff.kind {
                case .workoutRoute: "routes"
                case .electrocardiogram: "ECGs"
                case .clinicalRecord: "clinical records"
                case .attachment: "attachments"
                }
            return "\(name): "
                + parts.filter { $0.0 > 0 }.map { "\(Counts.grouped(Int64($0.0))) \($0.1)" }.joined(separator: ", ")
        }
        return kinds.isEmpty ? nil : "Side files of \(kinds.joined(separator: "; "))."
    }

    /// The repairs that people are shown: the document type of every export is left out.
    static func notable(_ repairs: [ObservationReport.Located]) -> [ObservationReport.Located] {
        repairs.filter { $0.name != "doctypeBlanked" }
    }

    /// What was repaired.
    static func repair(_ kind: String) -> String {
        switch kind {
        case "doctypeBlanked": "DTD skipped (kept for reference)"
        case "declarationBlanked": "XML declaration after white space skipped"
        case "controlCharacterReplaced": "control character replaced"
        case "ampersandReplaced": "ampersand that begins no reference replaced"
        case "invalidUTF8Replaced": "invalid UTF-8 replaced"
        case "secondStartDateReadAsEndDate": "second startDate read as endDate"
        case "attributesBlanked": "attributes skipped"
        default: kind
        }
    }

    /// Why an item went to quarantine.
    static func quarantine(_ reason: String) -> String {
        let parts = reason.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("missing", 2): return "\(parts[1]) is not there"
        case ("unparsableDate", 2): return "\(parts[1]) is not a date"
        default: return reason
        }
    }

    /// `same sample: source name, device text`; with steps `1 to 2 same sample, 2 to 3 other unit: value, unit`.
    static func reason(_ matchRule: MatchRule, _ fields: [String], _ steps: [LinkStep]) -> String {
        let ways = steps.map { "\($0.from) to \($0.to) \(Self.matchRule($0.rule))" }
        return (ways.isEmpty ? Self.matchRule(matchRule) : ways.joined(separator: ", "))
            + (fields.isEmpty ? "" : ": " + fields.map(field).joined(separator: ", "))
    }

    /// By what a group of consolidated records was found.
    static func basis(_ basis: ConsolidationGroup.Basis) -> String {
        basis == .condenserIdentifier ? "condenser identifier" : "same interval and total (likely)"
    }

    /// Of originals that longer records declare.
    static let notFound = "not found among the records no longer visible"

    static let consolidated = "Consolidated in the export; the phone's own store may still hold the inner points."

    /// Which observations are compared, as the title of a document.
    static func comparison(
        _ from: Observation, _ to: Observation, through: Bool, _ zone: DisplayZone
    ) -> Document {
        Document(
            title: "\(through ? "Through all from" : "From") observation \(from.id) (\(zone.time(from.observedAt))) "
                + "to \(to.id) (\(zone.time(to.observedAt))), chain \(to.chain), times in \(zone.name)")
    }

    /// What does not follow from a comparison of which a side is partial; nothing of whole ones.
    static func partial(_ from: Observation, _ to: Observation) -> [String] {
        var sentences: [String] = []
        if from.status == .partial {
            sentences.append(
                "Observation \(from.id) is partial: what appeared may have been in the export before.")
        }
        if to.status == .partial {
            sentences.append(
                "Observation \(to.id) is partial: what it does not show is no evidence.")
        }
        return sentences
    }

    /// What is uncertain of a type.
    static func uncertain(_ type: String, _ codes: [Uncertainty]) -> String {
        "\(shortIdentifier(type).quoted): \(codes.map(uncertainty).joined(separator: "; "))"
    }

    /// What is uncertain.
    static func uncertainty(_ code: Uncertainty) -> String {
        switch code {
        case .appearancesAfterIncomplete:
            "the earlier export does not show this type completely, so what appeared may have been there before"
        case .appearancesAfterExcluded:
            "the earlier import left this type out, so what appeared may have been there before"
        case .disappearancesTowardsIncomplete:
            "the later export does not show this type completely, so what it does not show is no evidence"
        case .linksNotFollowed:
            "too many of its records became equal and differ again in between, so which became which is not told"
        case .constituentsMissing: "some originals of longer records were \(notFound)"
        case .moreGoneThanDeclared: "more records are no longer visible than longer ones declare"
        case .aggregationStyleAssumed:
            "the type is not known here; its values are taken for readings that do not add up"
        }
    }

    /// The sentence on where reading stopped early; nil for a whole document.
    ///
    /// - Parameter message: the XML parser's own words.
    static func stop(line: Int64?, byte: Int64?, reason: String?, message: String?) -> String? {
        guard let reason else { return nil }
        let place = [line.map { "line \(Counts.grouped($0))" }, byte.map { "byte \(Counts.grouped($0))" }]
            .compactMap(\.self).joined(separator: ", ")
        let at = place.isEmpty ? "" : " at \(place)"
        let what = message.map { "\(at): \($0) (\(reason))" } ?? " (\(reason)\(at))"
        return "The export ends early\(what). "
            + "Everything up to there was kept; later records are not reported as gone. \(remedy(reason))"
    }

    /// What to do about an export that ends early.
    private static func remedy(_ reason: String) -> String {
        switch reason {
        case "xml:4", "xml:5", "xml:77", "rootNotEnded", "byteCountMismatch", "crcMismatch":
            "The file is cut off or damaged: copy it again."
        case _ where reason.hasPrefix("zip"): "The zip is cut off or damaged: copy it again."
        case _ where reason.hasPrefix("readError"): "Check the disk, or copy the file again."
        default: "Export again from the Health app; or correct this line in a copy of the XML, and import the copy."
        }
    }

    /// A type's name, with its status where it is not complete.
    static func label(_ type: String, status: TypeStatus) -> String {
        shortIdentifier(type) + (status == .completed ? "" : " (\(status.rawValue))")
    }

    /// A count as a cell: nothing is a dot.
    static func cell(_ count: Int64) -> String { count == 0 ? "·" : Counts.grouped(count) }

    /// How many records are no longer visible, and how many of them an analysis explains: `84, 60 explained`.
    static func gone(_ count: Int64, explained: Int64?) -> String {
        guard count > 0, let explained else { return cell(count) }
        return
            "\(cell(count)), \(explained == 0 ? "none" : explained == count ? "all" : Counts.grouped(explained)) explained"
    }

    /// `Europe/Bucharest (named by most records)`, `no zone`.
    static func zone(_ zone: ChainZone?) -> String {
        switch zone?.origin {
        case .argument: "\(zoneName(zone)) (first --time-zone given)"
        case .metadata: "\(zoneName(zone)) (named by most records)"
        case .offset: "\(zoneName(zone)) (the first export's offset)"
        case nil: zoneName(zone)
        }
    }

    /// `Europe/Bucharest`, `UTC+02:00`, `no zone`.
    static func zoneName(_ zone: ChainZone?) -> String {
        guard let zone else { return "no zone" }
        return zone.origin == .offset ? "UTC\(zone.name)" : zone.name
    }

    /// Six significant digits, as many as an export has; empty without a number.
    static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        let magnitude = value == 0 ? 0 : Int(log10(value.magnitude).rounded(.down))
        let digits = max(0, min(12, 5 - magnitude))
        guard magnitude > -8, magnitude < 15 else { return CanonicalNumber.text(value) ?? "" }
        var text = String(format: "%.\(digits)f", value)
        if digits > 0 {
            while text.last == "0" { text.removeLast() }
            if text.last == "." { text.removeLast() }
        }
        return text
    }

    /// A number with a fixed number of decimals, rounded half away from zero, as JSON is: `12.3`; `-` without one.
    static func fixed(_ value: Double?, _ decimals: Int = 1) -> String {
        guard let value, value.isFinite else { return "-" }
        let scale = pow(10, Double(decimals))
        let rounded = (value * scale).rounded() / scale
        return String(format: "%.\(decimals)f", rounded == 0 ? 0 : rounded)
    }

    /// A number rounded to six significant digits; `-` without one.
    static func rounded(_ value: Double?) -> String {
        value.flatMap { Double(String(format: "%.6g", $0)) }.flatMap { CanonicalNumber.text($0) } ?? "-"
    }
}
