internal import ExportReading
internal import HealthModel

/// The different names of an export, bounded because memory is kept for each.
struct NameCensus {
    private typealias Limits = ExportReading.Limits

    private var types = Tally(of: "types", most: Limits.types)
    private var sources = Tally(of: "source names", most: Limits.names)
    private var units = Tally(of: "units", most: Limits.names)
    private var devices = Tally(of: "devices", most: Limits.names)
    private var descriptors = Tally(
        of: "combinations of source, version, unit and device", most: Limits.descriptors)

    /// - Throws: `tooManyTypes` where there are more than any phone has.
    mutating func add(_ page: ItemPage) throws {
        for (_, type) in page.newTypes { try types.add(type) }
        for item in page.quarantined { try types.add(item.sampleType) }
        for (_, descriptor) in page.newDescriptors {
            try sources.add(descriptor.sourceName)
            try units.add(descriptor.unit)
            try devices.add(descriptor.device)
            try descriptors.add([
                descriptor.sourceName, descriptor.sourceVersion, descriptor.unit, descriptor.device,
            ])
        }
    }

    /// Adds the types that a document shows and the selection leaves out.
    ///
    /// - Throws: `tooManyTypes`.
    mutating func add(leftOut types: Set<ExactText>) throws {
        for type in types { try self.types.add(type.text) }
    }

    /// The names of one kind.
    private struct Tally {
        private let what: String
        private let most: Int
        /// Hashes: a name may have megabytes.
        private var seen: Set<Int> = []

        init(of what: String, most: Int) {
            self.what = what
            self.most = most
        }

        mutating func add(_ name: String?) throws {
            if let name { try add([name]) }
        }

        mutating func add(_ names: [String?]) throws {
            seen.insert(names.map { $0.map(ExactText.init(_:)) }.hashValue)
            guard seen.count > most else { return }
            throw HealthProbeError(
                .tooManyTypes, "The export names more than \(most) different \(what); no phone writes so many.",
                hint: "Check where the file comes from.")
        }
    }
}
