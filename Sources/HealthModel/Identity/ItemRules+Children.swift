internal import Basics

extension ItemRules {
    /// What an element's content contributes to its item.
    struct Body {
        var metadata: JSON?
        var metadataEntries: [(key: String, value: String)] = []
        /// `beats`, `children` and `text`, as far as there are any.
        var members: [(String, JSON)] = []
        var itemMembers: [ItemContent.Member] = []
    }

    /// Sorts an element's content into metadata, beats, items of their own and other children.
    func body(of element: ItemElement, parts: inout Parts, outcome: inout Outcome) -> Body {
        var body = Body()
        var children: [String] = []
        var beats: [JSON] = []
        var routes: Set<RouteCopy> = []
        var oddEntries: Set<ExactText> = []
        for child in element.children {
            if let entry = Self.metadataEntry(child) {
                body.metadataEntries.append(entry)
            } else if child.name == "HeartRateVariabilityMetadataList", let list = beatList(child, parts: &parts) {
                beats.append(list)
            } else if child.name == "WorkoutRoute" {
                guard let route = content(of: child, kind: .workoutRoute, into: &outcome) else {
                    collectItems(in: child, into: &outcome)
                    continue
                }
                // Apple prints some twice; two of one form that name two files are two.
                if routes.insert(RouteCopy(route)).inserted { outcome.routes.append(route) }
            } else if child.name == "Record", let record = content(of: child, kind: .record, into: &outcome) {
                outcome.nestedRecords.append(record)
                body.itemMembers.append(Self.member(record))
                children.append(
                    JSON.object([
                        ("name", .string("Record")), ("identity", .string(record.identity.hex)),
                        ("version", .string(record.version.hex)),
                    ]).canonicalText)
            } else {
                if child.name == "FileReference" { parts.filePaths.append(child["path"] ?? "") }
                let json = childJSON(child, parts: &parts, body: &body, outcome: &outcome).canonicalText
                // Of two equal entries the second is no payload, whatever form they have.
                let isEntry = child.isMetadataEntry && child.children.isEmpty
                if isEntry, !oddEntries.insert(ExactText(json)).inserted { continue }
                children.append(json)
            }
        }
        body.metadata = MetadataJSON.canonical(body.metadataEntries)
        if !beats.isEmpty { body.members.append(("beats", beats.count == 1 ? beats[0] : .array(beats))) }
        if !children.isEmpty {
            children.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            body.members.append(("children", .array(children.map { .canonical($0) })))
        }
        if !element.text.isEmpty { body.members.append(("text", .string(element.text))) }
        return body
    }

    /// Takes the records and routes inside an element that is no item: they are items all the same, of no parent.
    func collectItems(in element: ItemElement, into outcome: inout Outcome) {
        var parts = Parts()
        _ = body(of: element, parts: &parts, outcome: &outcome)
    }

    private static func member(_ item: ItemContent) -> ItemContent.Member {
        .init(sampleType: item.sampleType, start: item.start, identity: item.identity)
    }

    /// What two printed copies of one route have in common.
    private struct RouteCopy: Hashable {
        let identity: Digest256
        let version: Digest256
        let path: String?

        init(_ route: ItemContent) { (identity, version, path) = (route.identity, route.version, route.filePath) }
    }

    /// A child that is no item: its attributes, metadata, children and text.
    private func childJSON(
        _ element: ItemElement, parts: inout Parts, body: inout Body, outcome: inout Outcome
    ) -> JSON {
        var members: [(String, JSON)] = [("name", .string(element.name))]
        let attributes = attributes(of: element).filter { !(element.name == "FileReference" && $0.0 == "path") }
        if !attributes.isEmpty { members.append(("attributes", .object(attributes))) }
        var inner = Parts()
        let around = outcome.workoutKey
        if element.name == ItemKind.workout.element { outcome.workoutKey = workoutKey(of: element) }
        defer { outcome.workoutKey = around }
        let content = self.body(of: element, parts: &inner, outcome: &outcome)
        if let metadata = content.metadata { members.append(("metadata", metadata)) }
        members += content.members
        body.itemMembers += content.itemMembers
        parts.take(inner)
        return .object(members)
    }

    private static func metadataEntry(_ element: ItemElement) -> (key: String, value: String)? {
        guard element.isMetadataEntry, element.attributes.count == 2, element.children.isEmpty,
            element.text.isEmpty, let key = element["key"], let value = element["value"]
        else { return nil }
        return (key, value)
    }

    /// A plain list of beats as [[bpm, microseconds after the first beat], …]; nil where it holds anything else.
    private func beatList(_ list: ItemElement, parts: inout Parts) -> JSON? {
        guard list.attributes.isEmpty, list.text.isEmpty else { return nil }
        var rates: [String] = []
        var times: [String] = []
        for beat in list.children {
            guard beat.name == "InstantaneousBeatsPerMinute", beat.attributes.count == 2, beat.children.isEmpty,
                beat.text.isEmpty, let rate = beat["bpm"], let time = beat["time"]
            else { return nil }
            rates.append(rate)
            times.append(time)
        }
        guard let distances = BeatTimes.distances(times) else {
            return .array(zip(rates, times).map { .array([.string($0), .string($1)]) })
        }
        if let first = times.first { parts.firstBeats.append(first) }
        return .array(zip(rates, distances).map { .array([.string($0), .int($1)]) })
    }
}
