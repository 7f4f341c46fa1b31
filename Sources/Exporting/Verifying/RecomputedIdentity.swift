internal import Basics
internal import HealthModel

/// The identity that follows from an item's own members, as docs/identity.md defines it.
enum RecomputedIdentity {
    /// What comparing it with the item's `sample_identity_hash` found.
    enum Outcome {
        case equal, different
        /// The key is not in the item as the export file had it.
        case unknown
    }

    /// Texts that may have been instants are tried as both, up to so many combinations.
    private static let maximumTrials = 256

    /// Compares a plain record, whose literals are taken as they are.
    ///
    /// - Parameter member: the canonical JSON of a member's value; nil where it is absent.
    static func compareRecord(_ member: (String) -> ByteView?) -> Outcome {
        guard let type = member("type_identifier"), let valueKind = member("value_kind"), let value = member("value"),
            let unit = member("unit"), let start = member("start_date").flatMap(seconds),
            let end = member("end_date").flatMap(seconds)
        else { return .different }
        let key = ByteBuffer(capacity: 256)
        key.append(ItemHash.identityPrefix)
        key.append(0x5B)
        key.append(type)
        for instant in [start, end] {
            key.append(0x2C)
            key.append(decimal: instant)
        }
        key.append(0x2C)
        key.append(valueKind)
        key.append(0x2C)
        if valueKind.string == "\"number\"" {
            guard value.count > 2, value[0] == .quotationMark, let number = CanonicalNumber(value[1..<value.count - 1])
            else {
                return .different
            }
            number.append(to: key)
        } else {
            key.append(value)
        }
        key.append(0x2C)
        key.append(unit)
        key.append(0x5D)
        return outcome(Digest256(hashing: key.view), member)
    }

    /// Compares an item of another kind.
    ///
    /// - Parameter isFull: whether names and identifiers are printed as they are.
    static func compare(_ item: JSON, _ kind: ItemKind, isFull: Bool) -> Outcome {
        guard hasMembers(item) else { return .different }
        let type = item["type_identifier"]?.string ?? ""
        let attributes = item["attributes"]?.members ?? []
        func attribute(_ name: String) -> JSON? { attributes.first { $0.0 == name }?.1 }
        /// A date of the key: the item's own, or where that is null the attribute's text.
        func date(_ member: String, _ name: String) -> JSON? {
            if let text = item[member]?.string { return seconds(text).map { JSON.int($0) } ?? .null }
            // Where names are left out, a text that is not there may be one of them.
            return isFull ? attribute(name) ?? .null : nil
        }
        var fields: [JSON?]
        switch kind {
        case .record: return .unknown
        case .correlation:
            let food = item["metadata"]?["HKFoodType"]
            fields = [
                .string(type), date("start_date", "startDate"), date("end_date", "endDate"),
                food?.elements.first ?? food ?? .null,
            ]
        case .workout:
            let activity = attribute("workoutActivityType")
            guard isFull || activity?.string?.hasPrefix("HK") == true else { return .unknown }
            fields = [activity ?? .null, date("start_date", "startDate"), date("end_date", "endDate")]
        case .workoutRoute:
            let workout = item["workout"]
            let activity = workout?["workoutActivityType"]
            guard isFull || activity?.string?.hasPrefix("HK") ?? true else { return .unknown }
            let around = ItemKind.workout.keyAttributes.map { workout?[$0] ?? .null }
            fields = around + [date("start_date", "startDate"), date("end_date", "endDate")]
        case .activitySummary:
            let day = attribute("dateComponents") ?? .null
            guard isFull || day.string.map(PlainText.isDate) ?? false else { return .unknown }
            fields = [day]
        case .clinicalRecord:
            guard isFull else { return .unknown }
            fields = [attribute("type") ?? .null, attribute("identifier") ?? .null]
        case .audiogram: fields = [.string(type), date("start_date", "startDate"), date("end_date", "endDate")]
        case .visionPrescription:
            guard isFull else { return .unknown }
            fields = [attribute("type") ?? .null, date("start_date", "dateIssued")]
        case .electrocardiogram: fields = [date("start_date", "recordedDate")]
        case .characteristic: fields = [.string(type)]
        case .unknown:
            guard type.hasPrefix(SampleType.elementPrefix) else { return .different }
            guard isFull else { return .unknown }
            fields = [.string(String(type.dropFirst(SampleType.elementPrefix.count))), .object(attributes)]
        }
        let known = fields.compactMap { $0 }
        guard known.count == fields.count else { return .unknown }
        return compare(.array(known), with: item["sample_identity_hash"]?.string)
    }

    /// Whether dates, metadata and attributes are of the sort that exports print.
    private static func hasMembers(_ item: JSON) -> Bool {
        func isObject(_ json: JSON?) -> Bool { if case .object? = json { true } else { false } }
        return ["start_date", "end_date"].allSatisfy { item[$0]?.string != nil || item[$0] == JSON.null }
            && (isObject(item["metadata"]) || item["metadata"] == JSON.null)
            && (isObject(item["attributes"]) || item["attributes"] == nil)
    }

    private static func outcome(_ identity: Digest256, _ member: (String) -> ByteView?) -> Outcome {
        member("sample_identity_hash")?.string == "\"\(identity.hex)\"" ? .equal : .different
    }

    /// Tries every text that looks like a printed instant as that instant and as text.
    private static func compare(_ key: JSON, with identity: String?) -> Outcome {
        let count = instants(key)
        guard count < 63, 1 << count <= maximumTrials else { return .unknown }
        for trial in 0..<(1 << count) {
            var place = 0
            let text = resolved(key, trial, &place).canonicalText
            if Digest256(hashing: "\(ItemHash.identityPrefix)\(text)").hex == identity { return .equal }
        }
        return .different
    }

    private static func instants(_ json: JSON) -> Int {
        if let text = json.string { return seconds(text) == nil ? 0 : 1 }
        return json.elements.reduce(0) { $0 + instants($1) } + json.members.reduce(0) { $0 + instants($1.1) }
    }

    /// The key with the texts whose bit in `trial` is 0 read as instants.
    private static func resolved(_ json: JSON, _ trial: Int, _ place: inout Int) -> JSON {
        switch json {
        case .string(let text):
            guard let seconds = seconds(text) else { return json }
            defer { place += 1 }
            return trial >> place & 1 == 0 ? .int(seconds) : json
        case .array(let elements): return .array(elements.map { resolved($0, trial, &place) })
        case .object(let members): return .object(members.map { ($0.0, resolved($0.1, trial, &place)) })
        default: return json
        }
    }

    private static func seconds(_ literal: ByteView) -> Int64? {
        guard literal.count > 2, literal[0] == 0x22 else { return nil }
        return seconds(literal[1..<literal.count - 1].string)
    }

    /// Unix seconds of `2024-05-01T10:00:00.000Z`, the only form in which exports print instants; years beyond four
    /// digits have a sign.
    private static func seconds(_ text: String) -> Int64? {
        guard text.hasSuffix(".000Z"), let t = text.firstIndex(of: "T") else { return nil }
        let isSigned = text.hasPrefix("+") || text.hasPrefix("-")
        let date = text[..<t].dropFirst(isSigned ? 1 : 0).split(separator: "-", omittingEmptySubsequences: false)
        let clock = text[text.index(after: t)...].dropLast(5).split(separator: ":", omittingEmptySubsequences: false)
        let numbers = (date + clock).compactMap { part in part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(part) : nil }
        guard date.count == 3, clock.count == 3, numbers.count == 6, numbers[0] < 1_000_000, 1...12 ~= numbers[1],
            1...31 ~= numbers[2], numbers[3] < 24, numbers[4] < 60, numbers[5] < 60
        else { return nil }
        let year = text.hasPrefix("-") ? -numbers[0] : numbers[0]
        let days = CivilDate.daysSince1970(year: year, month: numbers[1], day: numbers[2])
        let seconds = Int64(days) * 86_400 + Int64(numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
        return ISO8601.string(unixSeconds: seconds) == text ? seconds : nil
    }
}
