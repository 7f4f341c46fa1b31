package import Basics

/// One thing that a question may say: an option of a command, a parameter of a URL, a property of a tool's input.
package struct Field: Sendable {
    /// What its values are.
    package enum Kind: Sendable {
        case observation, chain, identity, cursor
        /// A day or an instant.
        case time
        /// A name of the export or of the archive, in these words: `activity`, `source`.
        case name(String)
        /// Such names, as many as there are.
        case names(String)
        /// One of a few words.
        case choice([String])
        /// Several of a few words.
        case choices([String])
        case count(ClosedRange<Int>)
        /// Said or not.
        case flag
    }

    /// The long name of the option, which the parameter of the URL and the property have, too.
    package let name: String
    package let kind: Kind
    /// What it does, in a sentence.
    package let meaning: String
    /// What holds where it is not said, in words; nil where the meaning says that.
    package let usual: String?
    /// What it is called in a form, and its choices; nil where a form has no field for it.
    package let label: (title: String, choices: [String])?

    private init(
        _ name: String, _ kind: Kind, _ meaning: String, usual: String? = nil,
        label: (title: String, choices: [String])? = nil
    ) {
        (self.name, self.kind, self.meaning, self.usual, self.label) = (name, kind, meaning, usual, label)
    }

    /// Another meaning in the question at hand.
    package func meaning(_ meaning: String) -> Field { Field(name, kind, meaning, usual: usual, label: label) }

    /// Other limits in the question at hand.
    package func limited(to range: ClosedRange<Int>, usual: String) -> Field {
        Field(name, .count(range), meaning, usual: usual, label: label)
    }

    /// A field of forms with this title.
    private func labelled(_ title: String, _ choices: [String] = []) -> Field {
        Field(name, kind, meaning, usual: usual, label: (title, choices))
    }

    /// What stands for the value in a usage line; nil for a flag.
    package var placeholder: String? {
        switch kind {
        case .observation: "observation"
        case .chain: "name"
        case .identity: "identity"
        case .cursor: "cursor"
        case .time: "time"
        case .name(let word), .names(let word): word
        case .choice, .choices: name
        case .count: "count"
        case .flag: nil
        }
    }

    /// The JSON Schema of the value as a property.
    package var schema: JSON {
        var words = meaning + (usual.map { " Default: \($0)." } ?? "")
        var members: [(String, JSON)]
        switch kind {
        case .observation:
            words += " An id, first, latest, latest~N, or @2024-05-01."
            members = [("type", ["string", "integer"])]
        case .chain, .identity, .cursor, .name: members = [("type", "string")]
        case .time:
            words += " Such as 2024-05-01 or 2024-05-01T10:00:00Z."
            members = [("type", "string")]
        case .names: members = [("type", "array"), ("items", ["type": "string"])]
        case .choice(let choices): members = [("type", "string"), ("enum", .array(choices.map { .string($0) }))]
        case .choices(let choices):
            members = [
                ("type", "array"), ("items", ["type": "string", "enum": .array(choices.map { .string($0) })]),
            ]
        case .count(let range):
            members = [("type", "integer"), ("minimum", .int(range.lowerBound))]
            if range.upperBound < .max { members.append(("maximum", .int(range.upperBound))) }
        case .flag: members = [("type", "boolean")]
        }
        return .object(members + [("description", .string(words))])
    }
}

/// The fields that several questions have.
extension Field {
    package static let at = Field("at", .observation, "The observation that is shown.", usual: "latest")
    package static let from = Field("from", .observation, "The earlier observation.", usual: "the one before to")
    package static let to = Field("to", .observation, "The later observation.", usual: "latest")
    package static let chain = Field(
        "chain", .chain, "The chain of observations, one per phone; not together with an id.", usual: "default")
    package static let types = Field("type", .names("type"), "Only these types, such as HeartRate or ClinicalRecord/*.")
    package static let source = Field("source", .name("name"), "Only records of this source; sources lists them.")
        .labelled("Source")
    package static let since = Field("since", .time, "Only records that end at or after this day or instant.")
        .labelled("From the day")
    package static let until = Field(
        "until", .time, "Only records that start before this instant, or on this day at the latest."
    ).labelled("To the day")
    package static let limit = Field("limit", .count(1...100_000), "How many rows a page has.", usual: "100")
    package static let after = Field("after", .cursor, "Continue after the page that gave this cursor.")
    package static let through = Field(
        "through", .flag, "Also compare what was visible only between the two observations.")
    package static let state = Field(
        "state", .choice(["visible", "finest"]),
        "visible, or finest: merged records are replaced by the originals that the archive has.", usual: "visible"
    ).labelled("Consolidated records", ["as the export has them", "restored where the archive can"])
    package static let identity = Field(
        "identity", .identity, "The identity of a record, or its first digits: at least four.")
    package static let all = Field("all", .flag, "Also failed, cancelled, withdrawn and unfinished imports.")
    package static let by = Field("by", .choice(["day", "month"]), "The size of a bucket.", usual: "day")
        .labelled("By", ["day", "month"])
    package static let change = Field(
        "change", .choices(["appeared", "disappeared", "representationChanged"]), "Only these changes.")
    package static let activity = Field("type", .name("activity"), "Only this activity, such as Running.")
        .labelled("Activity")
    package static let workout = Field(
        "workout", .name("workout"), "The identity of a workout, its first digits, its UUID, or the day it starts on.")
    package static let date = Field("date", .time, "The day, such as 2024-05-01.", usual: "the export's")
    package static let electrocardiogram = Field(
        "ecg", .name("ecg"),
        "The first digits of an ECG's identity, latest, or @2024-05-01; without it, all are listed.")
    package static let splits = Field("splits", .choice(["km", "mile"]), "The length of a split.", usual: "km")
    package static let last = Field("last", .count(1...Int.max), "The last N days up to the export's.")
    package static let totals = Field(
        "totals", .flag,
        "Add steps, distance and energy, with what several sources recorded at one time counted once."
    ).labelled("Steps, distance and energy")
    package static let metric = Field("metric", .name("name"), "Only this figure, by its name in JSON.")
}
