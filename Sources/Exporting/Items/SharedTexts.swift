internal import Archive
internal import HealthModel
internal import TextFormats

/// What many items share, as JSON that is made once: source, device, unit, metadata, type; in bounded memory.
final class SharedTexts {
    /// What a descriptor contributes to an item; a class, because handing on a reference costs least.
    final class Descriptor {
        let device: [UInt8]
        let source: [UInt8]
        let sourceVersion: [UInt8]
        let unit: [UInt8]

        init(device: [UInt8], source: [UInt8], sourceVersion: [UInt8], unit: [UInt8]) {
            self.device = device
            self.source = source
            self.sourceVersion = sourceVersion
            self.unit = unit
        }
    }

    private let snapshot: Snapshot
    private let filter: ProvenanceFilter
    private var descriptors: [Int64: Descriptor] = [:]
    private var lastAddress = Int64.min
    private var last: Descriptor?
    private var metadata: [Int64: [UInt8]] = [:]
    private var metadataBytes = 0
    private static let maximumMetadataBytes = 4 << 20
    static let null = Array("null".utf8)

    init(_ snapshot: Snapshot, _ filter: ProvenanceFilter) {
        self.snapshot = snapshot
        self.filter = filter
    }

    /// The texts of a descriptor.
    /// - Parameter isClinical: whether the source is to be left blank.
    func descriptor(_ id: Int64, isClinical: Bool) throws -> Descriptor {
        let address = isClinical ? -id - 1 : id
        if address == lastAddress, let last { return last }
        lastAddress = address
        if let known = descriptors[address] {
            last = known
            return known
        }
        let stored = try StoredDescriptor.read(snapshot.db, id: id)
        func json(_ text: String?) -> [UInt8] { text.map { Array(JSON.string($0).canonicalText.utf8) } ?? Self.null }
        let blank = isClinical && !filter.isFull
        let source = blank ? nil : stored.sourceName.flatMap { filter.identifying($0, domain: "source") }
        let fields = stored.device.flatMap { JSON.parse($0) }
        let made = Descriptor(
            device: Array((fields.map(filter.device) ?? .null).canonicalText.utf8), source: json(source),
            sourceVersion: json(stored.sourceVersion), unit: json(stored.unit))
        if descriptors.count >= StoredDescriptor.mostKept { descriptors.removeAll() }
        descriptors[address] = made
        last = made
        return made
    }

    /// The metadata of a shared row.
    func metadata(_ id: Int64) throws -> [UInt8] {
        if let known = metadata[id] { return known }
        let made = try snapshot.metadata(id).map { shown(Array($0.utf8)) } ?? Self.null
        if metadataBytes + made.count > Self.maximumMetadataBytes {
            metadata.removeAll()
            metadataBytes = 0
        }
        metadata[id] = made
        metadataBytes += made.count
        return made
    }

    /// Metadata as it may be printed.
    func shown(_ stored: [UInt8]) -> [UInt8] {
        if filter.isFull { return stored }
        guard let tree = JSON.parse(stored) else { return Self.null }
        return Array(filter.metadata(tree).canonicalText.utf8)
    }
}
