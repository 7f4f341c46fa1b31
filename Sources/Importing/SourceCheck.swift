package import Care
internal import ExportReading
internal import Foundation
internal import HealthModel
internal import History
internal import Questions
package import Store

/// Tests the kept sources of an archive: the files are what was kept, and read as what was stored.
package enum SourceCheck {
    /// Hashes and reads every kept source: the two results of `ArchiveCheck.sources`.
    ///
    /// - Parameters:
    ///   - isCancelled: asked after each page; true ends the check as interrupted.
    ///   - progress: called with what is being read.
    /// - Throws: `interrupted`, `inputOutput` where the system cannot read a file, and what the archive says; damage is a result.
    /// - Complexity: one reading of each kept source.
    package static func run(
        _ reader: ArchiveReader, isCancelled: @escaping () -> Bool, progress: (String) -> Void
    ) throws -> [CheckResult.Invariant] {
        let store = SourceStore(archive: reader.path)
        var damaged: [Int64] = []
        var different: [Int64] = []
        for source in try ObservationSource.kept(reader) {
            let observation = source.observation
            guard let name = source.kept.name else { continue }
            progress("the source of observation \(observation.id)")
            guard let path = store.path(name), let digest = try store.digest(of: name), name.hasPrefix(digest.hex)
            else {
                damaged.append(observation.id)
                continue
            }
            let found = try streamDigest(path, reading(of: source, reader)) {
                if isCancelled() { throw HealthProbeError.interrupted }
            }
            if found == nil || found != observation.streamDigest { different.append(observation.id) }
        }
        return [
            result(
                ArchiveCheck.sources[0], damaged, "observations whose kept source is missing or damaged"),
            result(
                ArchiveCheck.sources[1], different,
                "observations whose kept source does not read as what is stored"),
        ]
    }

    private static func result(_ id: String, _ observations: [Int64], _ what: String) -> CheckResult.Invariant {
        let listed = observations.prefix(10).map(String.init).joined(separator: ", ")
        return CheckResult.Invariant(
            id: id, holds: observations.isEmpty,
            detail: observations.isEmpty ? nil : "\(observations.count) \(what) \(listed)")
    }

    /// The stream digest of a kept file; nil where it is no export that can be compared.
    private static func streamDigest(_ path: String, _ reading: CountedReading, progress: () throws -> Void) throws
        -> StateDigest?
    {
        var digest = StateDigest()
        do {
            let container = try ExportContainer(path: path)
            let result = try reading.run(container) { page in
                for item in page.items { digest.add(item.identity, item.version) }
            } nested: { item, count in
                for _ in 0..<count { digest.add(item.identity, item.version) }
            } progress: { _ in
                try progress()
            }
            // A document that ends early may do so because the disk fails.
            if result.document.header.stop != nil { try container.requireReadable() }
            return result.hasUncompared ? nil : digest
        } catch let error as HealthProbeError where error.code.isRefusal {
            return nil
        }
    }

    /// A reading with what the import of an observation had beside its container.
    private static func reading(of source: ObservationSource, _ reader: ArchiveReader) -> CountedReading {
        var reading = CountedReading()
        reading.types = source.observation.typeSelection
        for file in source.files {
            if ElectrocardiogramFile.isOne(file.path), file.byteCount <= ElectrocardiogramFile.maximumBytes {
                reading.electrocardiograms.append((file.path, { try source.bytes(of: file, reader) }))
            }
        }
        return reading
    }
}
