internal import Basics
internal import ExportReading
internal import HealthModel
internal import Questions
internal import Store

extension HealthExportRenderer {
    /// Everything between an item's tags, and its end.
    func appendContent(
        of row: HeldVersion, _ kind: ItemKind, _ name: String, _ item: StoredItem?, _ printed: PrintedParts?,
        _ level: Int
    ) throws {
        let extras = item.map { JSON.object($0.members.map { ($0.name, $0.value) }) }
        let routes = kind == .workout ? lookup.takeRoutes(of: row.rowID) : []
        let hasBody = extras.map(Self.hasBody) ?? false
        let hasMetadata = row.metadataID != nil || !row.metadata.isAbsent
        guard hasMetadata || hasBody || !routes.isEmpty else {
            out.append("/>\n")
            return
        }
        let isTextAlone = !hasMetadata && routes.isEmpty && (extras.map(Self.isTextAlone) ?? true)
        if appendText(extras?["text"]?.string, of: name, isAlone: isTextAlone) { return }
        try appendMetadata(of: row, level: level + 1)
        let parts = printed ?? PrintedParts(nil)
        parts.routes = routes[...]
        if hasBody, let extras { try appendBody(extras, parts, owner: row, level: level + 1) }
        for route in parts.routes { try appendNested(route, level: level + 1) }
        out.indent(level)
        out.append("</")
        out.append(name)
        out.append(">\n")
    }

    private static func isTextAlone(_ json: JSON) -> Bool { json["beats"] == nil && json["children"] == nil }

    /// Ends a start tag and writes the text behind it, and where that is all, the end tag: white space would join the text.
    ///
    /// - Returns: whether the element has ended.
    private func appendText(_ stored: String?, of name: String, isAlone: Bool) -> Bool {
        out.append(0x3E)
        if let shown = stored.flatMap(text) { out.appendEscaped(shown) }
        if isAlone { out.append("</\(name)>") }
        out.append(0x0A)
        return isAlone
    }

    private static func hasBody(_ extras: JSON) -> Bool {
        extras["beats"] != nil || extras["children"] != nil || extras["text"] != nil
    }

    /// Beats and children.
    private func appendBody(_ json: JSON, _ printed: PrintedParts, owner: HeldVersion, level: Int) throws {
        if let beats = json["beats"] { appendBeats(beats, printed, level) }
        for child in json["children"]?.elements ?? [] {
            if let identity = child["identity"]?.string, let version = child["version"]?.string {
                try appendNestedRecord(identity, version, owner: owner.sampleID, level: level)
            } else {
                try appendChild(child, printed, owner: owner, level: level)
            }
        }
    }

    /// A child that is no item: attributes, metadata, children, text.
    private func appendChild(_ json: JSON, _ printed: PrintedParts, owner: HeldVersion, level: Int) throws {
        guard let stored = json["name"]?.string, options.reduced?.leavesOut(child: stored) != true,
            !(options.leavesOutLocations && stored == "Location")
        else { return }
        let name = element(stored)
        out.indent(level)
        out.append(0x3C)
        out.append(name)
        append(json["attributes"]?.members.map { (name: $0.0, value: $0.1) } ?? [], of: stored, nil)
        if name == "FileReference" {
            let path = printed.takePath()
            if let path = options.reduced == nil ? path : path ?? "" { out.appendAttribute("path", path) }
        }
        let metadata = json["metadata"]
        let route = Self.heldRoute(json) ? printed.routes.popFirst() ?? lookup.takeRoute(of: owner.rowID) : nil
        guard metadata != nil || Self.hasBody(json) || route != nil else {
            out.append("/>\n")
            return
        }
        let isTextAlone = metadata == nil && route == nil && Self.isTextAlone(json)
        if appendText(json["text"]?.string, of: name, isAlone: isTextAlone) { return }
        metadata?.canonicalText.withByteView { appendMetadata($0, level + 1, to: out) }
        try appendBody(json, printed, owner: owner, level: level + 1)
        if let route { try appendNested(route, level: level + 1) }
        out.indent(level)
        out.append("</")
        out.append(name)
        out.append(">\n")
    }

    /// Whether a child must have held a route: without one it would have been read as metadata or as a list of beats.
    private static func heldRoute(_ json: JSON) -> Bool {
        let names = json["attributes"]?.members.map(\.0) ?? []
        let children = json["children"]?.elements ?? []
        guard json["metadata"] == nil, json["text"] == nil, json["beats"] == nil else { return false }
        switch json["name"]?.string {
        case "MetadataEntry": return names == ["key", "value"] && children.isEmpty
        case "HeartRateVariabilityMetadataList": return names.isEmpty && children.allSatisfy(isBeat)
        default: return false
        }
    }

    private static func isBeat(_ json: JSON) -> Bool {
        json["name"]?.string == "InstantaneousBeatsPerMinute"
            && json["attributes"]?.members.map(\.0) == ["bpm", "time"]
            && json.members.count == 2
    }

    /// One list of beats, or several: a beat is a pair that begins with a text, a list begins with a pair.
    private func appendBeats(_ beats: JSON, _ printed: PrintedParts, _ level: Int) {
        let isSingle = beats.elements.first.map { $0.elements.first?.string != nil } ?? true
        for list in isSingle ? [beats] : beats.elements {
            let pairs = list.elements.map(\.elements).filter { $0.count == 2 }
            let distances = pairs.compactMap(\.[1].int)
            let times =
                distances.count == pairs.count && !pairs.isEmpty
                ? BeatTimes.texts(first: firstBeat(printed), distances: distances)
                : pairs.map { shown($0[1]) }
            out.indent(level)
            out.append("<HeartRateVariabilityMetadataList")
            if pairs.isEmpty {
                out.append("/>\n")
                continue
            }
            out.append(">\n")
            for (pair, time) in zip(pairs, times) {
                out.indent(level + 1)
                out.append("<InstantaneousBeatsPerMinute")
                out.appendAttribute("bpm", shown(pair[0]))
                out.appendAttribute("time", time)
                out.append("/>\n")
            }
            out.indent(level)
            out.append("</HeartRateVariabilityMetadataList>\n")
        }
    }

    private func shown(_ beat: JSON) -> String { beat.string.flatMap(text) ?? "" }

    private func firstBeat(_ printed: PrintedParts) -> String? {
        let time = printed.takeFirstBeat()
        return options.reduced == nil ? time : options.reduced?.firstBeat(time)
    }

    // MARK: - Items in items

    private func appendNestedRecord(_ identity: String, _ version: String, owner: Int64, level: Int) throws {
        guard let identity = Digest256(hex: identity), let version = Digest256(hex: version),
            let rowID = try lookup.nested(in: owner, identity: identity, version: version)
        else {
            unresolvedNested += 1
            return
        }
        try appendNested(rowID, level: level)
    }

    /// Writes a stored row inside another element.
    private func appendNested(_ rowID: Int64, level: Int) throws {
        guard level < ExportReading.Limits.depth else {
            unresolvedNested += 1
            return
        }
        let row = try row(rowID)
        let item = try row.item(in: arena)
        if item.map({ $0.kind == .record }) ?? true { try noteNested(row) }
        try append(row, item, level: level)
    }
}
