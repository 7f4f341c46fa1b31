internal import Archive
package import ExportReading
package import HealthModel

/// Reads an export again and counts the digest of what it shows, as an import does.
package struct StreamDigestReader {
    /// Types and files as the import had them.
    package struct Settings: Sendable {
        package var types = TypeSelection.all
        /// The canonical hashes of tracks that the import had from elsewhere, by path.
        package var tracks: [String: Digest256] = [:]
        /// ECGs that it had from elsewhere.
        package var electrocardiograms: [(path: String, bytes: [UInt8])] = []

        package init() {}
    }

    private var digest = StateDigest()
    private var nested: [Key: (item: PreparedItem, count: Int64)] = [:]
    /// Nested records that are compared with the others; a real export has some thousands.
    private static let maximumNested = 1_000_000

    private struct Key: Hashable {
        var identity: UInt64
        var version: UInt64

        init(_ item: PreparedItem) {
            identity = item.identity.a
            version = item.version.a
        }
    }

    private init() {}

    /// The digest of an export; nil where its document is not readable to where the import read it.
    ///
    /// - Parameter progress: told bytes done after each page.
    /// - Throws: `ExportReadingError`; `interrupted` where `progress` throws it.
    package static func digest(
        of container: ExportContainer, _ settings: Settings, progress: (Int64) throws -> Void
    ) throws -> StateDigest? {
        var reading = StreamDigestReader()
        var tracks = settings.tracks
        for file in container.sideFiles where file.kind == .workoutRoute {
            var hash = SideFileHash(kind: file.kind)
            guard (try? container.read(file) { hash.update($0) }) != nil else { continue }
            tracks[file.path] = hash.finalize()
        }
        let known = tracks
        let reader = ExportReader(container, types: settings.types)
        let track: @Sendable (String) -> Digest256? = { known[$0.hasPrefix("/") ? String($0.dropFirst()) : $0] }
        let document = try reader.read(track: track) { page in
            reading.take(page)
            try progress(page.bytePosition)
        }
        try ElectrocardiogramReader(container, exportOffset: document.offsetSeconds)
            .read(types: settings.types, stored: settings.electrocardiograms) { reading.take($0) }
        guard reading.nested.count <= maximumNested else { return nil }
        if !reading.nested.isEmpty {
            // A nested record counts only where no top-level record equals it, and most of those came before it.
            _ = try reader.read(track: track) { page in
                for item in page.items where item.kind == .record { reading.nested[Key(item)] = nil }
                try progress(page.bytePosition)
            }
            for entry in reading.nested.values {
                for _ in 0..<entry.count { reading.digest.add(entry.item.identity, entry.item.version) }
            }
        }
        return reading.digest
    }

    private mutating func take(_ page: ItemPage) {
        for item in page.items { digest.add(item.identity, item.version) }
        for item in page.nested where nested.count <= Self.maximumNested {
            nested[Key(item), default: (item, 0)].count += 1
        }
    }
}
