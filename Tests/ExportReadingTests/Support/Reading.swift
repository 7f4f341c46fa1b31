import Basics
import ExportReading
import Foundation
import HealthModel

/// One prepared item with everything that its page's slices point to spelled out.
struct ReadItem: Equatable {
    var kind: ItemKind
    var type: String
    var start: Int64?
    var end: Int64?
    var creation: Int64?
    var valueKind: PreparedItem.ValueKind
    var number: Double
    var text: String?
    var metadata: String?
    var extras: String?
    var volatileFields: String?
    var strictKey: String?
    var identity: String
    var version: String
    var unit: String?
    var sourceName: String?
    var sourceVersion: String?
    var device: String?
    var members: [ItemContent.Member]
    var filePath: String?
    var isInItem: Bool
    var line: Int64
    var byteStart: Int64
    var byteEnd: Int64
}

struct ReadQuarantine: Equatable {
    var reason: String
    var type: String?
    var line: Int64
    var text: String
}

/// A whole export as read: what the reader's pages said, in order.
struct ReadExport {
    var items: [ReadItem] = []
    var nested: [ReadItem] = []
    var quarantined: [ReadQuarantine] = []
    /// The bytes of what is quarantined, in the same order.
    var quarantinedBytes: [Range<Int64>] = []
    var document = ExportReader.Document()
    var pages = 0

    var stop: String? { document.header.stop?.reason }
    var repairs: [String] { document.repairs.entries.map { "\($0.kind.rawValue):\($0.count)@\($0.firstLine)" } }
    func items(_ type: String) -> [ReadItem] { items.filter { $0.type == type } }
}

/// Reads an export through its container.
func readExport(
    path: String, chunkBytes: Int = 1 << 18, types: TypeSelection = .all, readsPlainItems: Bool = true
) throws -> ReadExport {
    var collector = PageCollector()
    let reader = ExportReader(
        try ExportContainer(path: path), types: types, chunkBytes: chunkBytes, readsPlainItems: readsPlainItems)
    let document = try reader.read { collector.take($0) }
    collector.result.document = document
    return collector.result
}

/// Reads the text as a bare XML file.
func readExport(
    xml: [UInt8], chunkBytes: Int = 1 << 18, types: TypeSelection = .all
) throws -> ReadExport {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) {
        try readExport(path: folder.write("export.xml", xml), chunkBytes: chunkBytes, types: types)
    }
}

func readExport(xml: String, chunkBytes: Int = 1 << 18) throws -> ReadExport {
    try readExport(xml: Array(xml.utf8), chunkBytes: chunkBytes)
}

/// Reads a document whose root holds an export date and these items.
func readExport(items: String, chunkBytes: Int = 1 << 18) throws -> ReadExport {
    try readExport(xml: document(items), chunkBytes: chunkBytes)
}

/// A document around the items; the first of them stands on line 4.
func document(_ items: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <HealthData locale="en_US">
     <ExportDate value="2024-05-01 12:00:00 +0200"/>
    \(items)
    </HealthData>

    """
}

/// Numbers become names again, as the archive does it.
struct PageCollector {
    var result = ReadExport()
    private var types: [Int32: String] = [:]
    private var descriptors: [Int32: Descriptor] = [:]

    mutating func take(_ page: ItemPage) {
        result.pages += 1
        for (number, identifier) in page.newTypes { types[number] = identifier }
        for (number, descriptor) in page.newDescriptors { descriptors[number] = descriptor }
        for item in page.items { result.items.append(resolved(item, page)) }
        for item in page.nested { result.nested.append(resolved(item, page)) }
        for item in page.quarantined {
            result.quarantined.append(
                ReadQuarantine(reason: item.reason.code, type: item.sampleType, line: item.place.line, text: item.text))
            result.quarantinedBytes.append(item.place.byteStart..<item.place.byteEnd)
        }
    }

    private func resolved(_ item: PreparedItem, _ page: ItemPage) -> ReadItem {
        func text(_ slice: ByteSlice) -> String? { slice.isAbsent ? nil : page.view(slice).string }
        func time(_ seconds: Int64) -> Int64? { seconds == PreparedItem.absentTime ? nil : seconds }
        let descriptor = descriptors[item.descriptor]
        let detail = item.detail < 0 ? nil : page.details[Int(item.detail)]
        return ReadItem(
            kind: item.kind, type: types[item.type] ?? "?", start: time(item.start), end: time(item.end),
            creation: time(item.creation), valueKind: item.valueKind, number: item.number, text: text(item.text),
            metadata: text(item.metadata), extras: text(item.extras), volatileFields: text(item.volatileFields),
            strictKey: text(item.strictKey), identity: item.identity.hex, version: item.version.hex,
            unit: descriptor?.unit, sourceName: descriptor?.sourceName, sourceVersion: descriptor?.sourceVersion,
            device: descriptor?.device, members: detail?.members ?? [], filePath: detail?.filePath,
            isInItem: detail?.isInItem ?? false, line: item.place.line,
            byteStart: item.place.byteStart, byteEnd: item.place.byteEnd)
    }
}
