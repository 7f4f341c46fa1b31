import Foundation

/// The model itself as an archive, with faults on request: it shows that the verifier is content with a right answer
/// and finds a wrong one, before and without any program.
struct ModelArchive: ArchiveUnderTest {
    /// A mistake that an archive might make.
    enum Fault: Hashable {
        /// Does not know a kind of link.
        case ignores(Evidence)
        /// Lists equal copies once.
        case collapsesCopies
        /// Gives equal copies the same ordinal.
        case repeatsOrdinals
        /// Takes a partial export for a whole one.
        case forgetsWhatWasNotRead
        /// With `--through` counts a sample once an observation.
        case forgetsReturns
        /// Among ties takes the highest hash first.
        case breaksTiesBackwards
    }

    private let observations: [ModelObservation]
    private let history: ModelHistory
    private let hashes: [Sample: SampleHashes]
    private let fault: Fault?

    init(_ history: ModelHistory, fault: Fault? = nil) {
        self.history = history
        self.fault = fault
        var hashes: [Sample: SampleHashes] = [:]
        for sample in history.exports.flatMap(\.read) {
            hashes[sample] = SampleHashes(
                identity: Self.hash(sample.type + sample.identity), version: Self.hash(sample.canonicalText))
        }
        self.hashes = hashes
        var exports = history.exports
        if fault == .forgetsWhatWasNotRead {
            for index in exports.indices {
                exports[index].items = Array(exports[index].items.prefix(exports[index].cutAfter ?? .max))
                exports[index].cutAfter = nil
            }
        }
        observations = ModelObservation.observe(exports, order: .learned(hashes))
    }

    func importExport(at path: String) throws -> [String: Any] {
        let digits = URL(fileURLWithPath: path).lastPathComponent.filter(\.isNumber)
        let index = (Int(digits) ?? 1) - 1
        let observation = observations[index]
        let before = index > 0 ? observations[index - 1].state : []
        let comparison = compare(before, observation.state)
        let export = history.exports[index]
        var report = counts(
            comparison, before, observation.state, afterName: "visible", read: observation.read,
            isPartial: export.isPartial)
        let date = Date(timeIntervalSince1970: Double(export.date))
        report["alreadyImported"] = index == observations.count - 1 && imported.contains(path)
        report["observation"] = [
            "id": index + 101, "status": export.isPartial ? "partial" : "completed",
            "observedAt": String(date.ISO8601Format().dropLast()) + ".000Z", "offsetSeconds": export.offsetSeconds,
            "stoppedAt": export.isPartial ? ["reason": "cut"] as Any : NSNull(),
        ]
        imported.insert(path)
        return report
    }

    func importMistake(at path: String) throws -> Int? { nil }

    func withdraw(_ observation: Int) throws {}

    func show(_ observation: Int) throws -> [String: Any] { try importExport(at: "export-\(observation - 100).xml") }

    func records(at observation: Int) throws -> [[String: Any]] {
        let copies = Comparison.counts(observations[observation - 101].state)
        return copies.flatMap { sample, count in
            (0..<(fault == .collapsesCopies ? 1 : count)).map { ordinal in
                record(sample, ordinal: fault == .repeatsOrdinals ? 0 : ordinal)
            }
        }
    }

    func diff(from: Int, to: Int, through: Bool) throws -> [String: Any] {
        let (before, comparison) = compared(from, to, through)
        return counts(comparison, before, observations[to - 101].state, afterName: "after", read: nil)
    }

    func diffRecords(from: Int, to: Int, through: Bool) throws -> [[String: Any]] {
        let (_, comparison) = compared(from, to, through)
        return comparison.appeared.map { ["change": "appeared", "record": record($0, ordinal: 0)] }
            + comparison.disappeared.map { ["change": "disappeared", "record": record($0, ordinal: 0)] }
            + comparison.pairs.map { pair in
                [
                    "change": "representationChanged", "evidence": pair.evidence.rawValue,
                    "changedFields": pair.before.changedFields(to: pair.after),
                    "steps": pair.steps.map {
                        ["from": $0.from + 101, "to": $0.to + 101, "evidence": $0.evidence.rawValue] as [String: Any]
                    },
                    "before": record(pair.before, ordinal: 0), "after": record(pair.after, ordinal: 0),
                ]
            }
    }

    func check() throws -> [String: Any] { ["healthy": true] }

    /// Which files have been imported.
    private final class Paths {
        private var paths: Set<String> = []
        func contains(_ path: String) -> Bool { paths.contains(path) }
        func insert(_ path: String) { paths.insert(path) }
    }
    private let imported = Paths()

    private func compared(_ from: Int, _ to: Int, _ through: Bool) -> (before: [Sample], Comparison) {
        let span = observations[(from - 101)...(through ? to - 102 : from - 101)]
        let side = EarlierSide(span, order: .learned(hashes))
        let before = fault == .forgetsReturns ? span.flatMap(\.state) : side.samples
        let chain = observations[(from - 101)...(to - 101)]
        return (
            before,
            compare(
                before, observations[to - 101].state, areNeighbours: to - from <= 1, namesBefore: side.everVisible
            ) {
                $0.linkLineage(chain, through: through)
            }
        )
    }

    /// The comparison with the fault in it.
    private func compare(
        _ before: [Sample], _ after: [Sample], areNeighbours: Bool = true, namesBefore: [Sample]? = nil,
        _ linkLineage: (inout Comparison) -> Void = { _ in }
    ) -> Comparison {
        var table = hashes
        if fault == .breaksTiesBackwards {
            let reversed = Dictionary(uniqueKeysWithValues: zip("0123456789abcdef", "fedcba9876543210"))
            table = hashes.mapValues { hashes in
                SampleHashes(
                    identity: hashes.identity, version: String(hashes.version.compactMap { reversed[$0] }))
            }
        }
        var comparison = Comparison(
            before, after, order: .learned(table), areNeighbours: areNeighbours, namesBefore: namesBefore)
        linkLineage(&comparison)
        if case .ignores(let evidence) = fault {
            let missed = comparison.pairs.filter { $0.evidence == evidence }
            comparison.pairs.removeAll { $0.evidence == evidence }
            comparison.disappeared += missed.map(\.before)
            comparison.appeared += missed.map(\.after)
        }
        return comparison
    }
}
