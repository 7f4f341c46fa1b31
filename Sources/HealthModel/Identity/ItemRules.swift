internal import Basics

/// Turns an element of the export into items: its own content and the records and routes nested in it.
///
/// The general path for every kind; the reader has a faster one for plain records that must agree with it to the byte.
package struct ItemRules {
    /// The offset that the export prints everywhere; dates with another one keep theirs.
    package var exportOffset: Int32?

    package init(exportOffset: Int32?) { self.exportOffset = exportOffset }

    /// What became of one element.
    package struct Outcome {
        /// The item itself; nil where it went to quarantine.
        package var item: ItemContent?
        /// Records nested at any depth; they count only where no equal top-level record exists.
        package var nestedRecords: [ItemContent] = []
        /// Workout routes nested at any depth.
        package var routes: [ItemContent] = []
        package var quarantined: [(element: ItemElement, sampleType: String?, reason: QuarantineReason)] = []
        /// Activity, start and end of the workout that is being read: part of the strict key of a route in it.
        var workoutKey: [JSON] = ItemRules.noWorkout
    }

    /// What a route outside of workouts has in place of one's key.
    static let noWorkout: [JSON] = [.null, .null, .null]

    /// Applies the rules to one top-level element; what is inside one that goes to quarantine is collected all the same.
    package func apply(to element: ItemElement) -> Outcome {
        var outcome = Outcome()
        if element.name == ItemKind.workout.element { outcome.workoutKey = workoutKey(of: element) }
        outcome.item = content(of: element, kind: ItemKind(element: element.name), into: &outcome)
        if outcome.item == nil { collectItems(in: element, into: &outcome) }
        if let reason = element.overCap { markTypes(reason, in: &outcome) }
        return outcome
    }

    /// Quarantines an empty element of each type that is inside a cut one: more of that type may be behind the cut.
    private func markTypes(_ reason: QuarantineReason, in outcome: inout Outcome) {
        var marked = Set(outcome.quarantined.compactMap(\.sampleType))
        for item in outcome.nestedRecords + outcome.routes where marked.insert(item.sampleType).inserted {
            let mark =
                item.kind == .record
                ? ItemElement(name: "Record", attributes: [("type", item.sampleType)])
                : ItemElement(name: "WorkoutRoute")
            outcome.quarantined.append((mark, item.sampleType, reason))
        }
    }

    /// The content of one characteristic, an attribute of `Me`.
    package func characteristic(name: String, value: String) -> ItemContent {
        ItemContent(
            kind: .characteristic, sampleType: name, key: [.string(name)],
            extras: [("attributes", .object([("value", dateOrText(value))]))])
    }

    // MARK: - One item

    /// One element as an item; nil where it is quarantined, without a look at what is inside.
    func content(of element: ItemElement, kind: ItemKind, into outcome: inout Outcome) -> ItemContent? {
        let sampleType = SampleType.of(element, kind: kind)
        if let reason = element.overCap {
            outcome.quarantined.append((element, sampleType, reason))
            return nil
        }
        for (name, isDate) in kind.requiredAttributes {
            let reason: QuarantineReason
            if let value = element[name] {
                if !isDate || Instant(value) != nil { continue }
                reason = .unparsableDate(name)
            } else {
                reason = .missing(name)
            }
            outcome.quarantined.append((element, sampleType, reason))
            return nil
        }
        guard let sampleType else { return nil }
        var parts = Parts()
        if kind == .unknown {
            collectOffsets(of: element, into: &parts)
        } else {
            collectAttributes(of: element, kind: kind, into: &parts)
        }
        let body = body(of: element, parts: &parts, outcome: &outcome)

        let value = kind == .record ? ItemValue(attribute: element["value"]) : .absent
        // Where a date is no part of the key, rows of one sample may differ in it: there it is payload alone.
        func keyInstant(_ name: String) -> Int64? {
            kind == .unknown || kind.keyAttributes.contains(name) ? instant(element[name]) : nil
        }
        let start = keyInstant(kind == .visionPrescription ? "dateIssued" : "startDate")
        let end = keyInstant("endDate")
        let strictKey = strictKey(
            of: element, kind: kind, start: start, end: end, value: value, metadata: body.metadataEntries,
            workoutKey: outcome.workoutKey)
        let device = element["device"].map { Device($0).canonicalJSON.canonicalText }
        let identified = kind != .unknown
        var extras = body.members
        if !parts.attributes.isEmpty { extras.append(("attributes", .object(parts.attributes))) }
        if let text = parts.creationText { extras.append(("creationDate", .string(text))) }
        let payload = ItemHash.payload(
            creation: identified ? parts.creation : nil, device: identified ? device : nil,
            metadata: body.metadata?.canonicalText, sourceName: identified ? element["sourceName"] : nil,
            sourceVersion: identified ? element["sourceVersion"] : nil, extras: extras)
        return ItemContent(
            kind: kind, sampleType: sampleType, start: start, end: end, creation: identified ? parts.creation : nil,
            value: value, unit: kind == .record ? element["unit"] : nil,
            sourceName: identified ? element["sourceName"] : nil,
            sourceVersion: identified ? element["sourceVersion"] : nil,
            deviceText: identified ? element["device"] : nil, metadata: body.metadata?.canonicalText,
            extras: extras.isEmpty ? nil : JSON.object(extras).canonicalText,
            volatileFields: parts.printed.isEmpty ? nil : JSON.object(parts.printed).canonicalText,
            strictKey: strictKey, identity: ItemHash.identity(strictKey: strictKey),
            version: ItemHash.version(payload: payload),
            filePath: kind == .clinicalRecord ? element["resourceFilePath"] : parts.filePath,
            members: body.itemMembers)
    }

    /// What the attributes contribute beside the strict key and the source fields.
    struct Parts {
        var attributes: [(String, JSON)] = []
        var creation: Int64?
        var creationText: String?
        var volatileFields: [(String, JSON)] = []
        /// The paths of all `FileReference`s as they are met; an absent one is empty.
        var filePaths: [String] = []
        var firstBeats: [String] = []
        var filePath: String? { filePaths.first { !$0.isEmpty } }

        /// Adds what a child that is no item has beside the payload.
        mutating func take(_ inner: Parts) {
            filePaths += inner.filePaths
            firstBeats += inner.firstBeats
        }

        /// What is printed but no part of the payload, as the archive stores it.
        var printed: [(String, JSON)] {
            var members = volatileFields
            for (name, texts) in [("path", filePaths), ("firstBeat", firstBeats)] {
                guard let first = texts.first else { continue }
                members.append((name, .string(first)))
                if texts.count > 1 { members.append((name + "s", .array(texts.map { .string($0) }))) }
            }
            return members
        }
    }

    private static let texts: Set = ["type", "value", "unit", "sourceName", "sourceVersion", "device"]
    private static let sourceAttributes = ["sourceName", "sourceVersion", "device", "creationDate"]

    private func collectAttributes(of element: ItemElement, kind: ItemKind, into parts: inout Parts) {
        let key = kind.keyAttributes
        collectOffsets(of: element, into: &parts)
        for (name, value) in element.attributes {
            let date = Instant(value)
            if name == "creationDate" {
                parts.creation = date?.seconds
                parts.creationText = date == nil ? value : nil
            } else if !key.contains(name), !Self.sourceAttributes.contains(name) {
                parts.attributes.append((name, dateOrText(value)))
            }
        }
    }

    /// The offsets that an item's own dates print where they are not the export's.
    private func collectOffsets(of element: ItemElement, into parts: inout Parts) {
        guard let exportOffset, !element.isMetadataEntry else { return }
        let offsets = element.attributes.compactMap { name, value -> (String, JSON)? in
            guard !Self.texts.contains(name), let date = Instant(value), date.offsetSeconds != exportOffset else {
                return nil
            }
            return (name, .int(Int64(date.offsetSeconds)))
        }
        if !offsets.isEmpty { parts.volatileFields.append(("offsets", .object(offsets))) }
    }

    /// An element's attributes as its key and payload have them: a date as its instant, but in a `MetadataEntry` as text.
    func attributes(of element: ItemElement) -> [(String, JSON)] {
        element.attributes.map { name, value in
            (name, element.isMetadataEntry ? .string(value) : dateOrText(value))
        }
    }

    private func dateOrText(_ value: String) -> JSON { Instant(value).map { .int($0.seconds) } ?? .string(value) }

    private func instant(_ value: String?) -> Int64? { value.flatMap { Instant($0)?.seconds } }

    private func strictKey(
        of element: ItemElement, kind: ItemKind, start: Int64?, end: Int64?, value: ItemValue,
        metadata: [(key: String, value: String)], workoutKey: [JSON]
    ) -> String {
        func text(_ name: String) -> JSON { element[name].map { .string($0) } ?? .null }
        func time(_ seconds: Int64?, _ name: String) -> JSON { seconds.map { .int($0) } ?? text(name) }
        switch kind {
        case .workoutRoute:
            return JSON.array(workoutKey + [time(start, "startDate"), time(end, "endDate")]).canonicalText
        case .record:
            return ItemHash.recordKey(
                type: element["type"] ?? "", start: start ?? 0, end: end ?? 0, value: value, unit: element["unit"])
        case .correlation:
            let food = metadata.filter { $0.key.utf8.elementsEqual("HKFoodType".utf8) }.map(\.value)
                .min { $0.utf16.lexicographicallyPrecedes($1.utf16) }
            return JSON.array([
                text("type"), time(start, "startDate"), time(end, "endDate"), food.map { .string($0) } ?? .null,
            ]).canonicalText
        case .unknown:
            return JSON.array([.string(element.name), .object(attributes(of: element))]).canonicalText
        default:
            let fields = kind.keyAttributes.map { name -> JSON in
                switch name {
                case "startDate", "dateIssued": time(start, name)
                case "endDate": time(end, name)
                default: text(name)
                }
            }
            return JSON.array(fields).canonicalText
        }
    }

    /// Activity, start and end of a workout as the strict keys of its routes have them.
    func workoutKey(of element: ItemElement) -> [JSON] {
        ItemKind.workout.keyAttributes.map { name in
            element[name].map { name == "workoutActivityType" ? .string($0) : dateOrText($0) } ?? .null
        }
    }
}
