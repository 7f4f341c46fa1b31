internal import GRDB
internal import TextFormats

/// The parts that types and descriptors contribute to keys and payloads, as canonical JSON.
final class DescriptorTexts {
    struct Texts {
        /// The unit as the last field of the strict key.
        var unit: [UInt8] = Array("null".utf8)
        /// The canonical object of the device; nil without one.
        var device: [UInt8]?
        var sourceName: [UInt8]?
        var sourceVersion: [UInt8]?
    }

    private var descriptors: [Int64: Texts] = [:]
    private var types: [Int64: (identifier: String, literal: [UInt8])] = [:]
    private var metadata: [Int64: [UInt8]] = [:]
    private var metadataBytes = 0
    private let db: Database
    private let fetchType: UnsafeStatement
    private let fetchMetadata: UnsafeStatement
    private static let maximumEntries = 20_000
    private static let maximumMetadataBytes = 8 << 20

    init(_ db: Database) throws {
        self.db = db
        fetchType = try UnsafeStatement(db, "SELECT type_identifier FROM sample_types WHERE id = ?")
        fetchMetadata = try UnsafeStatement(db, "SELECT metadata FROM metadata_sets WHERE id = ?")
    }

    func descriptor(_ id: Int64) throws -> Texts {
        if let known = descriptors[id] { return known }
        let stored = try StoredDescriptor.read(db, id: id)
        func literal(_ text: String?) -> [UInt8]? { text.map { Array(JSON.string($0).canonicalText.utf8) } }
        var texts = Texts()
        texts.unit = literal(stored.unit) ?? texts.unit
        texts.device = stored.device.map { Array($0.utf8) }
        texts.sourceName = literal(stored.sourceName)
        texts.sourceVersion = literal(stored.sourceVersion)
        if descriptors.count >= StoredDescriptor.mostKept { descriptors.removeAll() }
        descriptors[id] = texts
        return texts
    }

    func type(_ id: Int64) throws -> (identifier: String, literal: [UInt8]) {
        if let known = types[id] { return known }
        fetchType.bind(1, id)
        defer { fetchType.reset() }
        let identifier = try fetchType.step() ? fetchType.text(0) ?? "" : ""
        if types.count >= Self.maximumEntries { types.removeAll() }
        let found = (identifier, Array(JSON.string(identifier).canonicalText.utf8))
        types[id] = found
        return found
    }

    /// A shared metadata set; nil where there is none of this id.
    func metadataSet(_ id: Int64) throws -> [UInt8]? {
        if let known = metadata[id] { return known }
        fetchMetadata.bind(1, id)
        defer { fetchMetadata.reset() }
        guard try fetchMetadata.step(), let bytes = fetchMetadata.bytes(0)?.array else { return nil }
        metadataBytes += bytes.count
        if metadataBytes > Self.maximumMetadataBytes {
            metadata.removeAll()
            metadataBytes = bytes.count
        }
        metadata[id] = bytes
        return bytes
    }
}
