internal import Archive
internal import Presentation

/// The words for what the archive found: neutral, and no more than the evidence says.
enum Wording {
    /// How two representations were linked.
    static func evidence(_ name: String) -> String {
        switch name {
        case "strictKey": "same sample"
        case "syncIdentifier": "same sync identifier"
        case "externalUUID": "same external UUID"
        case "activityUUID": "same workout activity"
        case "unitConversion": "other unit"
        case "valueSynonym": "other word for the value"
        default: name
        }
    }

    /// What a changed field is called.
    static func field(_ name: String) -> String {
        switch name {
        case "sourceName": "source name"
        case "sourceVersion": "source version"
        case "device": "device text"
        case "creationDate": "creation date"
        case "startDate": "start"
        case "endDate": "end"
        default: name
        }
    }

    /// `same sample: source name, device text 1`; counts are said where they differ from what was changed in all.
    static func reasons(_ evidence: [(String, Int64)], _ fields: [(String, Int64)], changed: Int64) -> String {
        func list(_ counts: [(String, Int64)], _ name: (String) -> String) -> String {
            counts.filter { $0.1 > 0 }.map { $0.1 == changed ? name($0.0) : "\(name($0.0)) \(Counts.grouped($0.1))" }
                .joined(separator: ", ")
        }
        let how = list(evidence, Self.evidence)
        let what = list(fields, field)
        return what.isEmpty ? how : how + ": " + what
    }

    /// The sentence over a comparison.
    static func changes(appeared: Int64, disappeared: Int64, changed: Int64, current: String) -> String {
        guard appeared + disappeared + changed > 0 else { return "Nothing appeared, disappeared or changed." }
        var text = "\(Counts.of(appeared, "record")) appeared, "
        text += "\(Counts.of(disappeared, "record")) no longer visible in \(current), "
        text += "\(Counts.of(changed, "record")) with another representation."
        return disappeared > 0 ? text + " Cause not inferred." : text
    }

    /// The repairs that people are shown: the document type of every export is left out.
    static func notable(_ repairs: [ObservationReport.Located]) -> [ObservationReport.Located] {
        repairs.filter { $0.name != "doctypeBlanked" }
    }

    /// Why a repair was made.
    static func repair(_ kind: String) -> String {
        switch kind {
        case "declarationBlanked": "XML declaration behind white space left out"
        case "controlCharacterReplaced": "control character replaced"
        case "invalidUTF8Replaced": "invalid UTF-8 replaced"
        case "secondStartDateReadAsEndDate": "second startDate read as endDate"
        case "attributesBlanked": "attributes left out"
        default: kind
        }
    }

    /// Why an item went to quarantine.
    static func quarantine(_ reason: String) -> String {
        let parts = reason.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("missing", 2): return "\(parts[1]) is missing"
        case ("unparsableDate", 2): return "\(parts[1]) is no date"
        default: return reason
        }
    }
}
