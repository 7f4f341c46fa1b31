/// One attribute value of an export, before it is printed.
///
/// The model never parses XML: the generator builds elements, `ExportWriter` prints them and `SampleReader` reads
/// them. What printing may vary without changing the fact (offset, device pointer, spelling of a number) is therefore
/// not part of the value.
enum AttributeValue: Hashable, Sendable {
    /// Text as it stands.
    case text(String)
    /// An instant in Unix seconds UTC, printed with the export's offset.
    case instant(Int)
    /// A device as its parsed fields; printed with a memory address.
    case device([String: String])

    /// The text that two equal values share, whatever the export's offset.
    var canonicalText: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .instant(let seconds): "@\(seconds)"
        case .device(let fields):
            "device"
                + fields.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription):\($0.value.debugDescription)" }
                .description
        }
    }
}

/// One element of an export.
struct Element: Hashable, Sendable {
    /// The tag.
    var name: String
    /// The attributes; their order is the writer's.
    var attributes: [String: AttributeValue] = [:]
    /// The child elements; their order is the writer's, for what the generator makes is all multisets.
    var children: [Element] = []

    /// The text of an attribute that is text.
    func text(_ name: String) -> String? {
        if case .text(let text)? = attributes[name] { text } else { nil }
    }

    /// The instant of an attribute that is one.
    func instant(_ name: String) -> Int? {
        if case .instant(let seconds)? = attributes[name] { seconds } else { nil }
    }

    /// The fields of the device, `nil` where there is none.
    var device: [String: String]? {
        if case .device(let fields)? = attributes["device"] { fields } else { nil }
    }

    /// Metadata by key. The generator never gives one element two values for one key.
    var metadata: [String: String] {
        var result: [String: String] = [:]
        for entry in children where entry.name == "MetadataEntry" {
            if let key = entry.text("key"), let value = entry.text("value") { result[key] = value }
        }
        return result
    }

    /// All records below this element, at any depth.
    var nestedRecords: [Element] {
        children.flatMap { child in (child.name == "Record" ? [child] : []) + child.nestedRecords }
    }

    /// This element with a change applied to it and to every element below it.
    func mapped(_ change: (inout Element) -> Void) -> Element {
        var copy = self
        change(&copy)
        copy.children = copy.children.map { $0.mapped(change) }
        return copy
    }
}

extension Element {
    /// A metadata entry.
    static func entry(_ key: String, _ value: String) -> Element {
        Element(name: "MetadataEntry", attributes: ["key": .text(key), "value": .text(value)])
    }

    /// The attributes that records, correlations and workouts share.
    private static func provenance(
        start: Int, end: Int?, source: String, version: String?, device: [String: String]?, creation: Int?
    ) -> [String: AttributeValue] {
        var attributes: [String: AttributeValue] = [
            "startDate": .instant(start), "endDate": .instant(end ?? start), "sourceName": .text(source),
        ]
        attributes["sourceVersion"] = version.map { .text($0) }
        attributes["device"] = device.map { .device($0) }
        attributes["creationDate"] = creation.map { .instant($0) }
        return attributes
    }

    /// A `Record`.
    static func record(
        _ type: String, _ start: Int, _ value: String? = nil, _ unit: String? = nil, end: Int? = nil,
        source: String = "Watch", version: String? = nil, device: [String: String]? = nil, creation: Int? = nil,
        metadata: [String: String] = [:], extra: [String: AttributeValue] = [:]
    ) -> Element {
        var attributes = provenance(
            start: start, end: end, source: source, version: version, device: device, creation: creation)
        attributes["type"] = .text(type)
        attributes["value"] = value.map { .text($0) }
        attributes["unit"] = unit.map { .text($0) }
        attributes.merge(extra) { $1 }
        return Element(
            name: "Record", attributes: attributes,
            children: metadata.sorted { $0.key < $1.key }.map { entry($0.key, $0.value) })
    }

    /// A `Correlation` with its nested records.
    static func correlation(
        _ type: String, _ start: Int, _ members: [Element], source: String = "Watch", creation: Int? = nil,
        metadata: [String: String] = [:]
    ) -> Element {
        var attributes = provenance(
            start: start, end: nil, source: source, version: nil, device: nil, creation: creation)
        attributes["type"] = .text(type)
        return Element(
            name: "Correlation", attributes: attributes,
            children: metadata.sorted { $0.key < $1.key }.map { entry($0.key, $0.value) } + members)
    }

    /// A `Workout` with whatever children it has.
    static func workout(
        _ activity: String, _ start: Int, end: Int, _ children: [Element] = [], source: String = "Watch",
        creation: Int? = nil, duration: String? = nil
    ) -> Element {
        var attributes = provenance(
            start: start, end: end, source: source, version: nil, device: nil, creation: creation)
        attributes["workoutActivityType"] = .text(activity)
        attributes["duration"] = duration.map { .text($0) }
        attributes["durationUnit"] = duration.map { _ in .text("min") }
        return Element(name: "Workout", attributes: attributes, children: children)
    }

    /// An `ActivitySummary`.
    static func summary(_ day: String, energy: String, goal: String) -> Element {
        Element(
            name: "ActivitySummary",
            attributes: [
                "dateComponents": .text(day), "activeEnergyBurned": .text(energy),
                "activeEnergyBurnedGoal": .text(goal),
                "activeEnergyBurnedUnit": .text("kcal"),
            ])
    }
}
