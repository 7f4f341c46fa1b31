internal import GRDB
internal import HealthModel

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
    private let fetchDescriptor: UnsafeStatement
    private let fetchType: UnsafeStatement
    private let fetchMetadata: UnsafeStatement
    private static let maximumEntries = 20_000
    private static let maximumMetadataBytes = 8 << 20

    init(_ db: Database) throws {
        fetchDescriptor = try UnsafeStatement(
            db,
            """
            SELECT u.unit, v.fields, s.name, d.source_version FROM descriptors d LEFT JOIN units u ON u.id = d.unit_id
            LEFT JOIN devices v ON v.id = d.device_id LEFT JOIN sources s ON s.id = d.source_id WHERE d.id = ?
            """)
        fetchType = try UnsafeStatement(db, "SELECT type_identifier FROM sample_types WHERE id = ?")
        fetchMetadata = try UnsafeStatement(db, "SELECT metadata FROM metadata_sets WHERE id = ?")
    }

    func descriptor(_ id: Int64) throws -> Texts {
        if let known = descriptors[id] { return known }
        var texts = Texts()
        fetchDescriptor.bind(1, id)
        defer { fetchDescriptor.reset() }
        if try fetchDescriptor.step() {
            func literal(_ column: Int32) -> [UInt8]? {
                fetchDescriptor.text(column).map { Array(CanonicalJSON.string($0).text.utf8) }
            }
            texts.unit = literal(0) ?? texts.unit
            texts.device = fetchDescriptor.text(1).map { Array($0.utf8) }
            texts.sourceName = literal(2)
            texts.sourceVersion = literal(3)
        }
        if descriptors.count >= Self.maximumEntries { descriptors.removeAll() }
        descriptors[id] = texts
        return texts
    }

    func type(_ id: Int64) throws -> (identifier: String, literal: [UInt8]) {
        if let known = types[id] { return known }
        fetchType.bind(1, id)
        defer { fetchType.reset() }
        let identifier = try fetchType.step() ? fetchType.text(0) ?? "" : ""
        if types.count >= Self.maximumEntries { types.removeAll() }
        let found = (identifier, Array(CanonicalJSON.string(identifier).text.utf8))
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
