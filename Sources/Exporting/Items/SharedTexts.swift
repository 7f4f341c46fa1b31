internal import Basics
internal import Store

/// What many items share, as JSON that is made once: source, device, unit, metadata, type; in bounded memory.
final class SharedTexts {
    /// What a descriptor contributes to an item; a class, because handing on a reference costs least.
    final class Descriptor {
        let device: [UInt8]
        let source: [UInt8]
        /// The source with the member that follows it, `source_version`.
        let sourceAndVersion: [UInt8]
        let unit: [UInt8]

        init(device: [UInt8], source: [UInt8], version: [UInt8], unit: [UInt8]) {
            self.device = device
            self.source = source
            sourceAndVersion = source + Array(",\"source_version\":".utf8) + version
            self.unit = unit
        }
    }

    private let names: ArchiveNames
    private let filter: ProvenanceFilter
    private var descriptors = BoundedCache<Descriptor>(maximumBytes: 4 << 20)
    private var metadata = BoundedCache<[UInt8]>(maximumBytes: 4 << 20)
    static let null = Array("null".utf8)

    init(_ names: ArchiveNames, _ filter: ProvenanceFilter) {
        self.names = names
        self.filter = filter
    }

    /// The texts of a descriptor.
    /// - Parameter isClinical: whether the source is to be left blank.
    func descriptor(_ id: Int64, isClinical: Bool) throws -> Descriptor {
        let address = isClinical ? -id - 1 : id
        if let known = descriptors[address] { return known }
        let stored = try names.descriptor(id)
        func json(_ text: String?) -> [UInt8] { text.map { Array(JSON.string($0).canonicalText.utf8) } ?? Self.null }
        let blank = isClinical && !filter.isFull
        let source = blank ? nil : stored.sourceName.flatMap { filter.identifying($0, domain: "source") }
        let fields = stored.device.flatMap { JSON.parse($0) }
        let made = Descriptor(
            device: Array((fields.map(filter.device) ?? .null).canonicalText.utf8), source: json(source),
            version: json(stored.sourceVersion), unit: json(stored.unit))
        descriptors.insert(
            made, for: address,
            byteCount: made.device.count + made.source.count + made.sourceAndVersion.count + made.unit.count)
        return made
    }

    /// The metadata of a shared row.
    func metadata(_ id: Int64) throws -> [UInt8] {
        if let known = metadata[id] { return known }
        let made = shown(Array(try names.metadata(id).utf8))
        metadata.insert(made, for: id, byteCount: made.count)
        return made
    }

    /// Metadata as it may be printed.
    func shown(_ stored: [UInt8]) -> [UInt8] {
        if filter.isFull { return stored }
        guard let tree = JSON.parse(stored) else { return Self.null }
        return Array(filter.metadata(tree).canonicalText.utf8)
    }
}
