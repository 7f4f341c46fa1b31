package import ArchiveFile
internal import Foundation
internal import HealthModel
internal import TextFormats

/// What a command printed.
package struct KeptResult: Sendable {
    package var output: [UInt8]
    /// For standard error.
    package var note: String?

    package init(output: [UInt8], note: String? = nil) { (self.output, self.note) = (output, note) }
}

/// Answers that take long, kept in the cache for who asks the same of the same archive again.
///
/// Only a cache that exists is used, and whatever goes wrong with it means that nothing is kept. An answer holds while the
/// archive has the same stamp, its file the same size and time of change, and the program is the same file.
package struct KeptResults {
    /// Where an answer is kept.
    package struct Place {
        let key: CacheKey
        let source: Digest256
        let identity: ArchiveIdentity
    }

    private let file: CacheFile
    private let archive: ArchiveReader
    private let question: [String]
    private let keys: KeySearch

    /// - Parameter question: everything else that the answer follows from: arguments, settings, the form of the output.
    package init(_ file: CacheFile, of archive: ArchiveReader, question: [String], _ keys: KeySearch) {
        (self.file, self.archive, self.question, self.keys) = (file, archive, question, keys)
    }

    /// Where the answer belongs that is computed in this transaction; nil where there is no cache.
    package func place(_ db: ArchiveDatabase) -> Place? {
        guard (try? file.state()) == .cache, let identity = try? ArchiveIdentity.read(db),
            let stamp = try? ArchiveStamp.read(db, keys)
        else { return nil }
        let files = ArchiveStamp.files(ofDatabase: archive.path) + [ArchiveStamp.file("/proc/self/exe")]
        let parts = JSON.array((question + [HealthModel.program]).map { .string($0) } + files.map { .optional($0) })
        let hash = Digest256(hashing: "hp:cache:1:question:" + parts.canonicalText)
        let key = CacheKey(.results, type: hash.hex)
        return Place(key: key, source: key.source(ArchiveState.basisOfResults(stamp: stamp)), identity: identity)
    }

    /// The answer that was kept there.
    package func result(at place: Place) -> KeptResult? {
        guard let connection = CacheConnection(file) else { return nil }
        defer { connection.close() }
        return connection.read(of: place.identity) { store -> KeptResult? in
            guard let entry = try store.entry(place.key), entry.source == place.source,
                let cells = try store.rows(entry)?.values.first, cells.count == 2, case .blob(let output) = cells[0]
            else { return nil }
            return KeptResult(output: output, note: cells[1].text)
        }
    }

    /// Keeps an answer, unless somebody else writes the cache.
    package func keep(_ result: KeptResult, at place: Place) {
        guard (try? file.state()) == .cache,
            let builder = try? CacheBuilder(file, of: archive, keys)
        else { return }
        defer { builder.close() }
        let rows = CacheRows([[.blob(result.output), .of(result.note)]])
        try? builder.keep(CacheGroup(key: place.key, source: place.source, rows: rows))
    }
}
