internal import Basics
package import Store

/// What descriptors say of records: their unit, and what recorded them.
package final class DescriptorFacts {
    package struct Facts {
        package var unit: String?
        /// The id of the source among `sources`.
        package var sourceID: Int64
        package var sourceName: String
        /// The source's name as it is compared with others.
        package var foldedName: String
        package var kind: SourceKind
    }

    private let names: ArchiveNames
    private var known: [Int64: Facts] = [:]

    package init(_ names: ArchiveNames) { self.names = names }

    package subscript(id: Int64) -> Facts {
        get throws {
            if let facts = known[id] { return facts }
            let descriptor = try names.descriptor(id)
            let hardware = descriptor.device.flatMap { JSON.parse($0)?["hardware"]?.string }
            let name = descriptor.sourceName ?? ""
            let facts = Facts(
                unit: descriptor.unit, sourceID: descriptor.sourceID, sourceName: name,
                foldedName: SampleSelection.folded(name),
                kind: SourceKind(hardware: hardware))
            // Hostile exports have a descriptor a record.
            if known.count >= Self.mostKnown { known.removeAll() }
            known[id] = facts
            return facts
        }
    }

    private static let mostKnown = 10_000
}
