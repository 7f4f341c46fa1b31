internal import Basics
internal import ExportReading
internal import HealthModel
internal import Questions
internal import Store

/// Turns what an archive holds in clear text into what an export may print of it.
///
/// `hashed` prints names and identifiers as HMAC-SHA-256 under the archive's key, so that equal ones stay equal in all
/// exports of one archive; `none` leaves them out. Free text that no table knows counts as identifying.
final class ProvenanceFilter {
    let profile: Provenance
    private let key: ArchiveKey?
    private var known: [ExactText: String] = [:]
    private static let maximumKnown = 20_000

    /// - Throws: `keyUnreadable` where pseudonyms are asked for and the key is not there.
    init(_ profile: Provenance, key: ArchiveKey?) throws {
        if profile == .hashed, key == nil {
            throw HealthProbeError(
                .keyUnreadable, "The archive's key is missing; without it names cannot be replaced by pseudonyms.",
                hint:
                    "Restore it with healthprobe key import, name it with --secret-file, or choose --provenance none."
            )
        }
        self.profile = profile
        self.key = key
    }

    var isFull: Bool { profile == .full }

    /// Whether items of a kind are left out unless they were asked for.
    func leavesOut(_ kind: ItemKind, include: [Provenance.Part]) -> Bool {
        kind == .workoutRoute && !isFull && !include.contains(.routes)
    }

    /// What is blank in items of a kind, as manifests count it; nil for nothing.
    func blanked(in kind: ItemKind) -> String? {
        if isFull { return nil }
        return switch kind {
        case .clinicalRecord: "clinicalSources"
        case .electrocardiogram: "electrocardiogramNames"
        case .characteristic: "characteristics"
        default: nil
        }
    }

    /// A name or an identifier as it is printed; nil where it is left out.
    func identifying(_ text: String, domain: String) -> String? {
        switch profile {
        case .full: return text
        case .none: return nil
        case .hashed:
            let address = ExactText("\(domain):\(text)")
            if let found = known[address] { return found }
            guard let made = key?.pseudonym(text, domain: domain) else { return nil }
            if known.count >= Self.maximumKnown { known.removeAll() }
            // A name of a megabyte is not worth remembering.
            if text.utf8.count < 256 { known[address] = made }
            return made
        }
    }

    /// The fields of a device.
    func device(_ json: JSON) -> JSON {
        guard !isFull, case .object(let fields) = json else { return json }
        return .object(
            fields.compactMap { name, value in
                // A field that no device of HealthKit has ends up in the text of the one before it.
                guard case .string(let text) = value,
                    IdentifyingNames.deviceFields.contains(name) || text.contains(/, \w+:/)
                else { return (name, value) }
                return identifying(text, domain: "device").map { (name, .string($0)) }
            })
    }

    /// The metadata of an item.
    func metadata(_ json: JSON) -> JSON {
        guard !isFull, case .object(let entries) = json else { return json }
        return .object(
            entries.compactMap { key, value in
                guard let name = self.name(key) else { return nil }
                func shown(_ value: JSON) -> JSON? {
                    guard case .string(let text) = value, isIdentifying(metadata: key, text) else { return value }
                    return identifying(text, domain: "metadata").map { .string($0) }
                }
                if case .array(let values) = value { return (name, .array(values.compactMap(shown))) }
                return shown(value).map { (name, $0) }
            })
    }

    /// The attributes of an element; instants are numbers.
    ///
    /// - Parameter element: the element's name; nil for the header of an ECG's file.
    func attributes(_ members: [(String, JSON)], of element: String?) -> [(String, JSON)] {
        guard !isFull else { return members }
        let entry = Self.metadataKey(members, of: element)
        return members.compactMap { attribute($0.0, $0.1, of: element, entry: entry) }
    }

    /// One attribute of an element; nil where it is left out.
    ///
    /// - Parameter entry: the key whose value an element of metadata has.
    func attribute(_ key: String, _ value: JSON, of element: String?, entry: String?) -> (String, JSON)? {
        guard let name = self.name(key) else { return nil }
        if IdentifyingNames.blanked.contains(key) { return (name, .null) }
        guard let text = Self.text(value),
            isIdentifying(attribute: key, value, of: element)
                || key == "value" && (entry.map({ isIdentifying(metadata: $0, text) }) ?? false)
        else { return (name, value) }
        return identifying(text, domain: "attribute").map { (name, .string($0)) }
    }

    /// The key of an element that is one entry of metadata; nil for other elements.
    static func metadataKey(_ members: [(String, JSON)], of element: String?) -> String? {
        element == "MetadataEntry" ? members.first { $0.0 == "key" }?.1.string : nil
    }

    /// Free text.
    func text(_ text: String) -> String? {
        isFull || PlainText.isPlain(text) ? text : identifying(text, domain: "text")
    }

    /// A key or an element's name: words of the format are printed, whatever else an app wrote is text of its own.
    func name(_ name: String) -> String? {
        isFull || PlainText.isName(name) ? name : identifying(name, domain: "text")
    }

    private func isIdentifying(metadata key: String, _ text: String) -> Bool {
        if IdentifyingNames.metadata.contains(key) { return true }
        if IdentifyingNames.timeZones.contains(key), PlainText.isTimeZone(text) { return false }
        return !IdentifyingNames.plainMetadata.contains(key) && !PlainText.isPlain(text)
    }

    private func isIdentifying(attribute name: String, _ value: JSON, of element: String?) -> Bool {
        if IdentifyingNames.attributes.contains(name) { return true }
        guard case .string(let text) = value, !PlainText.isPlain(text) else { return false }
        if IdentifyingNames.dates.contains(name), PlainText.isDate(text) { return false }
        guard let element else { return !IdentifyingNames.electrocardiogram.contains(name) }
        let isWord = IdentifyingNames.words.contains(name) && KnownGrammar.attributes[element]?.contains(name) == true
        return !(isWord && PlainText.isTerm(text))
    }

    /// The text of an attribute; nil where it has none.
    private static func text(_ value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .int(let seconds): ISO8601.string(unixSeconds: seconds)
        default: nil
        }
    }
}

/// Sample types as an export prints them: the name of an unknown element that is no word of a format is free text.
struct TypeNames {
    /// The types that are printed otherwise, by id.
    let byID: [Int64: String]
    private let byIdentifier: [ExactText: String]

    /// The types of an archive. Those that the question's observations show have numbers where names are left out: what
    /// others show, and whether it is withdrawn, changes none of them.
    init(_ context: ExportContext, _ filter: ProvenanceFilter) throws {
        var (byID, byIdentifier): ([Int64: String], [ExactText: String]) = ([:], [:])
        var number = 0
        let types = filter.isFull ? [] : try SampleTypeNames.sorted(context.snapshot.db)
        let unknown = types.filter { !Self.isPlain($0.identifier) }
        let shown = unknown.isEmpty ? [] : try context.snapshot.types(ofRuns: context.history.map(\.id))
        for type in unknown {
            let name = String(type.identifier.dropFirst(SampleType.elementPrefix.count))
            if shown.contains(type.id) { number += 1 }
            let shown = SampleType.elementPrefix + "_" + (filter.name(name) ?? "\(number)")
            byID[type.id] = shown
            byIdentifier[ExactText(type.identifier)] = shown
        }
        (self.byID, self.byIdentifier) = (byID, byIdentifier)
    }

    /// Whether a type's identifier is printed as it is, whatever the profile.
    static func isPlain(_ identifier: String) -> Bool {
        !identifier.hasPrefix(SampleType.elementPrefix)
            || PlainText.isName(String(identifier.dropFirst(SampleType.elementPrefix.count)))
    }

    /// A type's identifier as it is printed.
    func printed(_ identifier: String) -> String {
        byIdentifier.isEmpty ? identifier : byIdentifier[ExactText(identifier)] ?? identifier
    }
}
