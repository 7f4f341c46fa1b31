/// Turns the elements of one export into its items (docs/identity.md).
enum SampleReader {
    /// All items of one export: characteristics, top-level items, and nested records that no top-level record equals.
    static func samples(me: [String: String], items: [Element]) -> [Sample] {
        let topLevel = items.map(sample)
        let topLevelRecords = Set(zip(items, topLevel).filter { $0.0.name == "Record" }.map(\.1))
        let nested = items.flatMap(\.nestedRecords).map(sample).filter { !topLevelRecords.contains($0) }
        return me.sorted { $0.key < $1.key }.map(characteristic) + topLevel + nested
    }

    /// One attribute of `Me`.
    private static func characteristic(_ name: String, _ value: String) -> Sample {
        Sample(
            type: name, identity: ["characteristic", name].description, start: nil, end: nil, value: .text(value),
            unit: nil, source: nil, sourceVersion: nil, device: nil, creation: nil, metadata: [:], attributes: [:],
            children: [], activityUUIDs: [], mentioned: [value])
    }

    /// The sample of one element.
    static func sample(_ element: Element) -> Sample {
        let isKnown = ["Record", "Correlation", "Workout"].contains(element.name)
        let isRecord = element.name == "Record"
        let value: SampleValue = isRecord ? SampleValue(element.text("value")) : .absent
        let ownFields: Set<String> =
            isRecord
            ? provenanceFields.union(["type", "value", "unit"])
            : element.name == "Correlation" ? provenanceFields.union(["type"]) : isKnown ? provenanceFields : []
        let other = element.attributes.filter { !ownFields.contains($0.key) }
        return Sample(
            type: sampleType(element), identity: strictKey(element, value: value).description,
            start: isKnown ? element.instant("startDate") : nil, end: isKnown ? element.instant("endDate") : nil,
            value: value, unit: isRecord ? element.text("unit") : nil,
            source: isKnown ? element.text("sourceName") : nil,
            sourceVersion: isKnown ? element.text("sourceVersion") : nil, device: isKnown ? element.device : nil,
            creation: isKnown ? creation(element) : nil, metadata: element.metadata,
            attributes: other.mapValues(\.canonicalText),
            children: element.children.filter { $0.name != "MetadataEntry" }.map(childText).sorted(),
            activityUUIDs: element.children.filter { $0.name == "WorkoutActivity" }.compactMap { $0.text("uuid") }
                .sorted(),
            mentioned: mentioned(element, other: other))
    }

    /// The attributes that records, correlations and workouts share and that have a field of their own.
    private static let provenanceFields: Set<String> = [
        "startDate", "endDate", "sourceName", "sourceVersion", "device", "creationDate",
    ]

    /// The creation date: Unix seconds, or a text that is no instant.
    private static func creation(_ element: Element) -> String? {
        element.instant("creationDate").map(String.init) ?? element.text("creationDate")
    }

    /// The sample type of a top-level or nested item.
    private static func sampleType(_ element: Element) -> String {
        switch element.name {
        case "Record", "Correlation": element.text("type") ?? ""
        case "Workout": "HKWorkoutTypeIdentifier"
        case "ActivitySummary": "HKActivitySummaryTypeIdentifier"
        default: "Element/\(element.name)"
        }
    }

    /// The fields of the strict key, in the contract's order, with the kind in front.
    private static func strictKey(_ element: Element, value: SampleValue) -> [String] {
        let text = { (name: String) in element.attributes[name]?.canonicalText ?? "-" }
        switch element.name {
        case "Record":
            return ["Record", text("type"), text("startDate"), text("endDate"), value.canonicalText, text("unit")]
        case "Correlation":
            let food = element.metadata["HKFoodType"].map { "\"\($0)\"" } ?? "-"
            return ["Correlation", text("type"), text("startDate"), text("endDate"), food]
        case "Workout":
            return ["Workout", text("workoutActivityType"), text("startDate"), text("endDate")]
        case "ActivitySummary":
            return ["ActivitySummary", text("dateComponents")]
        default:
            let attributes = element.attributes.sorted { $0.key < $1.key }
            return ["Element", element.name] + attributes.flatMap { [$0.key, $0.value.canonicalText] }
        }
    }

    /// A child in its parent's payload: a nested record as its identity and version, anything else as what it says.
    private static func childText(_ child: Element) -> String {
        if child.name == "Record" { return "record " + sample(child).canonicalText }
        let attributes = child.attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.canonicalText)" }
        let metadata = child.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let children = child.children.filter { $0.name != "MetadataEntry" }.map(childText).sorted()
        return [child.name, attributes.description, metadata.description, children.description].description
    }

    /// The plain texts that a listing shows under "attributes" and "children", whatever its layout. Texts of nested
    /// records are left out: a listing may name them by identity.
    private static func mentioned(_ element: Element, other: [String: AttributeValue]) -> Set<String> {
        var texts = Set(other.values.compactMap(plainText))
        for child in element.children where child.name != "MetadataEntry" && child.name != "Record" {
            texts.formUnion(mentioned(child, other: child.attributes))
        }
        return texts
    }

    /// The text of an attribute that is text.
    private static func plainText(_ value: AttributeValue) -> String? {
        if case .text(let text) = value { text } else { nil }
    }
}
