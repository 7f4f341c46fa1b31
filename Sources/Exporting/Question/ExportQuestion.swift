internal import Basics
internal import HealthModel
internal import Questions
package import Store

/// What an export holds.
package enum ExportKind: String, Sendable, CaseIterable {
    /// The records visible at an observation.
    case records
    /// What differs between two observations.
    case diff
    /// Chosen sets of what differs.
    case selection
    /// The sample types of an observation.
    case types
    /// The observations of a chain.
    case manifest
    /// Records in the form of a Health export.
    case health = "health_export"

    /// Whether every item has a role between two observations.
    package var hasTwoSides: Bool { self == .diff || self == .selection }

    /// The `export_kind` of a bag's envelope.
    package func name(_ format: ExportFormat) -> String {
        let base =
            switch self {
            case .records: "observation_records"
            case .diff: "observation_diff"
            case .selection: "selection"
            case .types: "type_summary"
            case .manifest: "archive_manifest"
            case .health: rawValue
            }
        return "\(base)_\(format.rawValue)"
    }
}

/// How the items of a bag are written.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// One JSON array, an item a line.
    case json
    /// One JSON object a line.
    case ndjson
    /// RFC 4180, a row an item.
    case csv

    /// The name of the file in the bag's `data` folder.
    package var fileName: String { "items.\(rawValue)" }
}

/// The sets of changes that can be chosen.
package enum ExportChange: String, Sendable, CaseIterable {
    case appeared, disappeared
    /// Of a Health export, the later representation alone.
    case representationChanged
    /// The constituents of consolidation groups in the representation that they had last; in a bag, with the replacements.
    case consolidated
    /// What disappeared and belongs to no consolidation group.
    case unexplained
}

/// How much of names and identifiers an export prints.
package enum Provenance: String, Sendable, CaseIterable {
    /// As they are.
    case full
    /// As pseudonyms under the archive's key.
    case hashed
    /// Not at all.
    case none

    /// What an export says of names, and how to get them otherwise: the last line of its answer.
    package var sentence: String {
        switch self {
        case .full: "Names and identifiers are as they are; --provenance hashed makes pseudonyms of them."
        case .hashed: "Names and identifiers are pseudonyms; --provenance full keeps them as they are."
        case .none: "Names and identifiers are left out; --provenance full keeps them as they are."
        }
    }

    /// What `hashed` and `none` leave out unless it is asked for.
    package enum Part: String, Sendable, CaseIterable {
        case routes, clinical
    }
}

/// The states of the records at an observation.
///
/// Who wants the records as a phone recorded them takes `finest`; who also wants what was deleted, `everything`.
package enum HealthState: String, Sendable, CaseIterable {
    /// What was visible at the observation.
    case visible
    /// Every sample that was visible at any observation up to it, once, in its last representation.
    case ever
    /// `visible`, with every complete consolidation group replaced by its stored constituents.
    case finest
    /// `ever`, with the constituents of complete consolidation groups instead of the replacements.
    case everything

    /// Whether complete consolidation groups are replaced.
    var expandsGroups: Bool { self == .finest || self == .everything }
}

/// What is asked of an archive by an export, in a form that answers the same in every copy of it.
package struct ExportQuestion: Sendable {
    package var kind: ExportKind
    package var chain: String
    /// The ids of the observations; `from` only where changes are asked for.
    package var from: Int64?
    package var to: Int64
    /// Full identifiers, sorted; nil for all.
    package var types: [String]?
    /// Unix seconds; only what overlaps this interval.
    package var since: Int64?
    package var until: Int64?
    /// The changes chosen; none means all that a diff has.
    package var changes: [ExportChange] = []
    /// Whether the earlier side is everything that was visible from `from` up to, not including, `to`.
    package var through = false
    package var provenance: Provenance
    /// What `hashed` and `none` leave out otherwise.
    package var include: [Provenance.Part] = []
    /// The program that answers, `name version`.
    package var program = HealthModel.program

    /// Of a bag.
    package var format = ExportFormat.json

    /// Of a Health export without `from`, and of `records`.
    package var state = HealthState.visible
    /// Of a Health export: whether a whole zip with side files is written instead of the XML alone.
    package var isZip = false
    /// Of a Health export: the offset of all dates, in seconds; nil for the observation's own.
    package var offsetSeconds: Int32?
    /// Of a Health export: whether records without a creation date get their start as one.
    package var fillsCreationDates = false
    /// Of a Health export: what makes a copy to share of it; nil for the export itself.
    package var sharing: SharedCopy?

    package init(kind: ExportKind, chain: String, from: Int64? = nil, to: Int64) {
        self.kind = kind
        self.chain = chain
        self.from = from
        self.to = to
        provenance = kind == .health ? .full : .hashed
    }

    /// A question about observations by their names.
    ///
    /// - Parameters:
    ///   - from: the earlier one; a kind that needs two takes the one before the later.
    ///   - to: the only or the later one; without it, the latest.
    /// - Throws: `unknownObservation`, `usage`.
    package init(_ kind: ExportKind, from: String? = nil, to: String?, in chain: Chain) throws {
        if kind.hasTwoSides {
            let pair = try ObservationResolver.pair(from: from, to: to, in: chain)
            self.init(kind: kind, chain: chain.name, from: pair.from.id, to: pair.to.id)
        } else {
            let earlier = try from.map { try ObservationResolver.resolve($0, in: chain) }
            let later = try ObservationResolver.resolve(to ?? "latest", in: chain)
            self.init(kind: kind, chain: chain.name, from: earlier?.id, to: later.id)
        }
    }

    /// `+0200` or `-05:30` in seconds; nil for what is none.
    package static func offsetSeconds(_ text: String) -> Int32? {
        let digits = text.utf8.filter { $0 != 0x3A }
        guard digits.count == 5, let sign = digits.first, sign == 0x2B || sign == 0x2D,
            let instant = Instant("2000-01-01 00:00:00 " + String(decoding: digits, as: UTF8.self))
        else { return nil }
        return instant.offsetSeconds
    }

    /// The kind with its form, as manifests and recorded exports name it.
    package var kindName: String {
        kind == .health ? "\(kind.rawValue)_\(isZip ? "zip" : "xml")" : kind.name(format)
    }

    /// The interval in Unix seconds, where it is bounded on both sides.
    var interval: ClosedRange<Int64>? {
        guard let since, let until, since <= until else { return nil }
        return since...until
    }

    /// The changes asked for.
    var chosenChanges: Set<ExportChange> {
        changes.isEmpty ? [.appeared, .disappeared, .representationChanged] : Set(changes)
    }

    /// Whether the whole state of the observation is asked for.
    var isWhole: Bool {
        kind == .health && from == nil && state == .visible && types == nil && since == nil && until == nil
    }
}

extension KeyFile {
    /// The key that a profile's pseudonyms need; nil for other profiles, and where it is lost.
    /// - Throws: `keyUnreadable`, `wrongKey`.
    package func key(for profile: Provenance) throws -> ArchiveKey? {
        profile == .hashed && state != .missing ? try read() : nil
    }
}
