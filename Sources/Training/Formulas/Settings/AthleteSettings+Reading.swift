internal import Basics
internal import HealthModel

extension AthleteSettings {
    /// Reads a settings file.
    ///
    /// - Throws: `invalidSettings`, with the member as a JSON pointer (RFC 6901).
    package init(_ bytes: [UInt8]) throws {
        guard let json = try? JSON.document(bytes), case .object = json else {
            throw Self.refusal("The settings are no JSON object.")
        }
        var reader = MemberReader(json, "")
        guard reader.text("schema") == Self.schema else {
            throw Self.refusal("The settings' member \"schema\" is not \"\(Self.schema)\".")
        }
        periods = try reader.list("periods") { try Period(&$0) } ?? []
        periods.sort { $0.firstDay < $1.firstDay }
        sex = try reader.value("sex", "male, female or unset") { $0.string.flatMap(Sex.init) }
        birthDay = try reader.day("birthDate")
        loadSeed = try reader.object("loadSeed") { try LoadSeed(&$0) }
        score = try reader.object("score") { try Score(&$0) } ?? Score()
        sourceOrder = try reader.texts("sourceOrder") ?? []
        linkKeys = try reader.texts("linkKeys")
        try reader.finish()
        for (a, b) in zip(periods, periods.dropFirst()) where a.firstDay == b.firstDay {
            throw Self.refusal("Two of the settings' periods begin on one day.")
        }
    }

    fileprivate static func refusal(_ message: String) -> HealthProbeError {
        HealthProbeError(
            .invalidSettings, message, hint: "docs/metrics.md lists what the athlete's settings may say.")
    }
}

extension AthleteSettings.Period {
    fileprivate init(_ reader: inout MemberReader) throws {
        guard let day = try reader.day("from") else { throw reader.failure("from", "a date like 2023-01-01") }
        firstDay = day
        maxHeartRate = try reader.positive("maxHeartRate")
        restingHeartRate = try reader.positive("restingHeartRate")
        thresholdHeartRate = try reader.positive("thresholdHeartRate")
        ftpWatts = try reader.positive("ftpWatts")
        runningThresholdWatts = try reader.positive("runningThresholdWatts")
        zones = try reader.zones("zones")
        sleepNeedSeconds = try reader.positive("sleepNeedSeconds")
        if let maxHeartRate, let restingHeartRate, restingHeartRate >= maxHeartRate {
            throw reader.failure("restingHeartRate", "less than maxHeartRate")
        }
    }
}

extension AthleteSettings.LoadSeed {
    fileprivate init(_ reader: inout MemberReader) throws {
        guard let day = try reader.day("date") else { throw reader.failure("date", "a date like 2023-01-01") }
        guard let ctl = try reader.notNegative("ctl") else { throw reader.failure("ctl", "a number, 0 or more") }
        guard let atl = try reader.notNegative("atl") else { throw reader.failure("atl", "a number, 0 or more") }
        self.init(day: day, ctl: ctl, atl: atl)
    }
}

extension AthleteSettings.Score {
    fileprivate init(_ reader: inout MemberReader) throws {
        hrvWeight = try reader.notNegative("hrvWeight")
        rhrWeight = try reader.notNegative("rhrWeight")
        sleepWeight = try reader.notNegative("sleepWeight")
        greenFrom = try reader.notNegative("greenFrom")
        amberFrom = try reader.notNegative("amberFrom")
    }
}

/// Reads the members of one JSON object, and knows which of them nobody asked for.
private struct MemberReader {
    private let json: JSON
    /// Where the object is in its document.
    private let pointer: String
    private var asked: Set<String> = []

    init(_ json: JSON, _ pointer: String) {
        self.json = json
        self.pointer = pointer
    }

    /// What is wrong with a member.
    func failure(_ name: String, _ expected: String) -> HealthProbeError {
        AthleteSettings.refusal("The settings' member \(pointer)/\(name) is not \(expected).")
    }

    private mutating func member(_ name: String) -> JSON? {
        asked.insert(name)
        return json[name]
    }

    /// Checks that there are no members but those asked for, and none twice.
    func finish() throws {
        var seen: Set<String> = []
        for (name, _) in json.members {
            guard asked.contains(name) else {
                throw AthleteSettings.refusal("The settings have an unknown member: \(pointer)/\(name).")
            }
            guard seen.insert(name).inserted else {
                throw AthleteSettings.refusal("The settings have a member twice: \(pointer)/\(name).")
            }
        }
    }

    /// A text; nil for a member of another kind, too.
    mutating func text(_ name: String) -> String? { member(name).map { $0.string ?? "" } }

    /// What a member is read as; nil without the member.
    mutating func value<Value>(_ name: String, _ expected: String, _ read: (JSON) -> Value?) throws -> Value? {
        guard let json = member(name) else { return nil }
        guard let value = read(json) else { throw failure(name, expected) }
        return value
    }

    mutating func texts(_ name: String) throws -> [String]? {
        try value(name, "a list of texts") { json in
            let texts = json.elements.compactMap(\.string)
            if case .array(let elements) = json, texts.count == elements.count { return texts }
            return nil
        }
    }

    /// Days from 1970-01-01.
    mutating func day(_ name: String) throws -> Int? {
        try value(name, "a date like 2023-01-01") { $0.string.flatMap { CivilDate.daysSince1970($0) } }
    }

    mutating func positive(_ name: String) throws -> Double? {
        try value(name, "a number above 0") { $0.number.flatMap { $0 > 0 ? $0 : nil } }
    }

    mutating func notNegative(_ name: String) throws -> Double? {
        try value(name, "a number, 0 or more") { $0.number.flatMap { $0 >= 0 ? $0 : nil } }
    }

    mutating func zones(_ name: String) throws -> [Double]? {
        try value(name, "a list of ascending numbers above 0") { json in
            let bounds = json.elements.compactMap(\.number)
            let isAscending = zip([0] + bounds, bounds).allSatisfy(<)
            return !bounds.isEmpty && bounds.count == json.elements.count && isAscending ? bounds : nil
        }
    }

    mutating func object<Value>(
        _ name: String, _ read: (inout MemberReader) throws -> Value
    ) throws -> Value? {
        try member(name).map { try Self.read($0, self, name, read) }
    }

    mutating func list<Value>(
        _ name: String, _ read: (inout MemberReader) throws -> Value
    ) throws -> [Value]? {
        guard let value = member(name) else { return nil }
        guard case .array(let elements) = value else { throw failure(name, "a list of objects") }
        return try elements.enumerated().map { try Self.read($1, self, "\(name)/\($0)", read) }
    }

    private static func read<Value>(
        _ value: JSON, _ parent: MemberReader, _ name: String, _ read: (inout MemberReader) throws -> Value
    ) throws -> Value {
        guard case .object = value else { throw parent.failure(name, "an object") }
        var reader = MemberReader(value, "\(parent.pointer)/\(name)")
        let result = try read(&reader)
        try reader.finish()
        return result
    }
}
