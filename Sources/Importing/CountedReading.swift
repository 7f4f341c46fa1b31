package import ExportReading
package import HealthModel

/// Reads everything of an export that counts: the items of its document, its ECGs, and the nested records that no top-level
/// record equals.
package struct CountedReading {
    /// The types that are taken.
    package var types = TypeSelection.all
    /// ECGs, each with what reads its bytes; those that the export has itself are read there.
    package var electrocardiograms: [(path: String, read: () throws -> [UInt8]?)] = []
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

    package init() {}

    /// What a reading takes in.
    package struct Result {
        package var document: ExportReader.Document
        /// Unknown names beside those of the XML.
        package var unknown: [ExactText: Int]
        /// Whether nested records beyond the bound were counted without being compared.
        package var hasUncompared: Bool
    }

    /// Reads an export, twice where it has nested records.
    ///
    /// - Parameters:
    ///   - page: takes each page whose `items` count; its `nested` come later.
    ///   - nested: takes each nested record that counts, with how often.
    ///   - progress: called with bytes done after each page of either reading.
    /// - Throws: `HealthProbeError`, and what the three throw.
    package func run(
        _ container: ExportContainer, page: (ItemPage) throws -> Void, nested: (PreparedItem, Int64) throws -> Void,
        progress: (Int64) throws -> Void
    ) throws -> Result {
        var found: [Key: (item: PreparedItem, count: Int64)] = [:]
        var hasUncompared = false
        var names = NameCensus()
        func take(_ read: ItemPage) throws {
            try names.add(read)
            try page(read)
            for item in read.nested {
                let key = Key(item)
                if found.count < Self.maximumNested || found[key] != nil {
                    found[key, default: (item, 0)].count += 1
                } else {
                    hasUncompared = true
                    try nested(item, 1)
                }
            }
        }
        let reader = ExportReader(container, types: self.types)
        let document = try reader.read { read in
            try take(read)
            try progress(read.bytePosition)
        }
        let unknown = try reader.readElectrocardiograms(
            exportOffset: document.offsetSeconds, stored: electrocardiograms, deliver: take)
        if !found.isEmpty {
            // A nested record counts only where no top-level record equals it, and most of those came before it.
            _ = try reader.read { read in
                for item in read.items where item.kind == .record { found[Key(item)] = nil }
                try progress(read.bytePosition)
            }
            for entry in found.values { try nested(entry.item, entry.count) }
        }
        return Result(document: document, unknown: unknown, hasUncompared: hasUncompared)
    }
}
