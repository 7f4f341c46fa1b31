internal import Basics
internal import ExportReading
internal import HealthModel
internal import Store

/// What `hashed` and `none` print in a Health export: what `ProvenanceFilter` lets through, as elements and attributes
/// that readers of Health exports take.
///
/// Readers insist on the attributes of Apple's grammar, so what is left out of those is printed empty.
final class ReducedForm {
    let filter: ProvenanceFilter
    /// The paths of clinical records in the zip by the paths that the records state, without a leading slash.
    var clinicalPaths: [String: String] = [:]
    private let include: [Provenance.Part]

    /// - Parameter filter: of the profile `hashed` or `none`.
    init(_ filter: ProvenanceFilter, include: [Provenance.Part]) {
        self.filter = filter
        self.include = include
    }

    /// Whether a part was asked for that is left out otherwise.
    func keeps(_ part: Provenance.Part) -> Bool { include.contains(part) }

    /// Whether an element's child is left out with the routes.
    func leavesOut(child name: String) -> Bool { !keeps(.routes) && (name == "WorkoutRoute" || name == "Location") }

    /// An element's name; one that is no word of a format becomes a pseudonym, or a mere `_`.
    func element(_ name: String) -> String { attribute(name) ?? "_" }

    /// An attribute's name; nil where the attribute is left out.
    ///
    /// A name with a prefix is no word of a format, and what declares prefixes is left out: its address may name somebody.
    func attribute(_ name: String) -> String? {
        if name == "xmlns" || name.hasPrefix("xmlns:") { return nil }
        if name.contains(":"), !name.hasPrefix("xml:") {
            return filter.identifying(name, domain: "text").map { "_" + $0 }
        }
        // A pseudonym may begin with a digit, a name in XML must not.
        return filter.name(name).map { $0 == name ? name : "_" + $0 }
    }

    /// Attributes as they may be printed; null stays an absent one.
    ///
    /// - Parameter element: the element's name; nil for the header of an ECG's file.
    func attributes(
        _ given: [(name: String, value: JSON)], of element: String?
    ) -> [(name: String, value: JSON)] {
        let entry = ProvenanceFilter.metadataKey(given, of: element)
        return given.compactMap { name, value in
            if case .null = value { return nil }
            if name == "resourceFilePath", let path = value.string.flatMap({ clinicalPaths[SideFile.relative($0)] }) {
                return (name, .string("/" + path))
            }
            guard let shown = filter.attribute(name, value, of: element, entry: entry) else {
                let isExpected = element.flatMap { KnownGrammar.attributes[$0] }?.contains(name) == true
                return isExpected || IdentifyingNames.attributes.contains(name) ? (name, .string("")) : nil
            }
            guard let printed = attribute(name) else { return nil }
            if case .null = shown.1 { return (printed, .string("")) }
            return (printed, shown.1)
        }
    }

    /// Source and device of items that share a descriptor.
    /// - Parameter isClinical: whether the source is to be left blank.
    func source(_ stored: StoredDescriptor, isClinical: Bool) -> (name: String?, device: String?) {
        let name = stored.sourceName.map { isClinical ? "" : filter.identifying($0, domain: "source") ?? "" }
        let device = stored.printedDevice.flatMap { text -> String? in
            guard case .object(let fields) = filter.device(Device(text).canonicalJSON) else { return nil }
            return Device(fields: fields.compactMap { name, value in value.string.map { (name, $0) } })?.text
        }
        return (name, device)
    }

    /// Metadata as it may be printed, as canonical JSON.
    func metadata(_ json: ByteView) -> String {
        JSON.parse(json).map { filter.metadata($0).canonicalText } ?? "{}"
    }

    /// The clock time of a list's first beat; nil where there is more in it than a clock says.
    func firstBeat(_ time: String?) -> String? {
        time.flatMap { $0.utf8.allSatisfy("0123456789:., APM".utf8.contains) ? $0 : nil }
    }
}
