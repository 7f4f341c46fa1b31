internal import Basics
internal import Training

/// The files of docs/schemas that follow from columns.
package enum AnswerSchemas {
    /// The files by their names, without the ending.
    package static let files: [(name: String, text: String)] = [
        lines(
            "workouts", "A line of workouts --json: a workout, or where the next page begins",
            AnswerDefinition.workouts.rows),
        file("metrics-daily", "A line of metrics daily --json: one day", AnswerDefinition.days.rows),
        file(
            "metrics-features", "A line of metrics features --json: one day",
            AnswerDefinition.Rows(DailyAnswer.featureColumns)),
        file(
            "metrics-nights", "A line of metrics nights --json: the sleep of one day, stages in minutes",
            AnswerDefinition.nights.rows),
        file("ecg", "A line of ecg --json: one ECG", AnswerDefinition.electrocardiograms.rows),
        lines(
            "records", "A line of records --json: a record, or where the next page begins",
            AnswerDefinition.records.rows),
        aggregates,
        file("impact", "The answer of impact --json", AnswerDefinition.Rows(ImpactAnswer.columns)),
        object("timeline", "The answer of timeline --json", "observations", AnswerDefinition.timeline.rows),
    ].compactMap(\.self)

    /// The object of aggregates, whose rows are a list.
    private static var aggregates: (name: String, text: String)? {
        AnswerDefinition.aggregates.rows.map { rows in
            let zone: JSON = [
                "type": ["object", "null"], "additionalProperties": false, "required": ["name", "origin"],
                "properties": [
                    "name": ["type": "string"], "origin": ["enum": ["argument", "metadata", "offset"]],
                ],
            ]
            let properties: JSON = [
                "schema": ["const": "healthprobe.aggregates/1"], "observation": ["type": "object"],
                "by": ["enum": ["day", "month"]], "timeZone": zone,
                "rows": ["type": "array", "items": ["$ref": "#/$defs/row"]], "complete": ["type": "boolean"],
            ]
            let members: [(String, JSON)] = [
                ("type", "object"), ("additionalProperties", false),
                ("required", .array(properties.members.map { .string($0.0) })), ("properties", properties),
            ]
            let definitions = [("row", rows.schema)] + rows.definitions
            return ("aggregates", text("aggregates", "The answer of aggregates --json", members, definitions))
        }
    }

    /// The schema of an object whose only member is a list of rows.
    private static func object(
        _ name: String, _ title: String, _ list: String, _ rows: AnswerDefinition.Rows?
    ) -> (name: String, text: String)? {
        rows.map { rows in
            let properties: [(String, JSON)] = [
                ("schema", ["const": .string("healthprobe.\(name)/1")]),
                (list, ["type": "array", "items": ["$ref": "#/$defs/row"]]),
            ]
            let members: [(String, JSON)] = [
                ("type", "object"), ("additionalProperties", false),
                ("required", .array(properties.map { .string($0.0) })), ("properties", .object(properties)),
            ]
            return (name, text(name, title, members, [("row", rows.schema)] + rows.definitions))
        }
    }

    /// The schema of a line that is a row.
    private static func file(
        _ name: String, _ title: String, _ rows: AnswerDefinition.Rows?
    ) -> (name: String, text: String)? {
        rows.map { (name, text(name, title, $0.schema.members, $0.definitions)) }
    }

    /// The schema of a line that is a row or a cursor.
    private static func lines(
        _ name: String, _ title: String, _ rows: AnswerDefinition.Rows?
    ) -> (name: String, text: String)? {
        let next: JSON = [
            "type": "object", "additionalProperties": false, "required": ["next"],
            "properties": ["next": ["type": "string"]],
        ]
        return rows.map { rows in
            let choice: JSON = [["$ref": "#/$defs/row"], ["$ref": "#/$defs/next"]]
            let definitions = [("row", rows.schema), ("next", next)] + rows.definitions
            return (name, text(name, title, [("anyOf", choice)], definitions))
        }
    }

    private static func text(
        _ name: String, _ title: String, _ members: [(String, JSON)], _ definitions: [(String, JSON)]
    ) -> String {
        let head: [(String, JSON)] = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("$id", .string(name + ".json")),
            ("title", .string(title)),
        ]
        let tail: [(String, JSON)] = definitions.isEmpty ? [] : [("$defs", .object(definitions))]
        return laidOut(.object(head + members + tail)) + "\n"
    }

    /// JSON for people: what fits into a line is on one.
    private static func laidOut(_ value: JSON, indent: Int = 0, taken: Int = 0) -> String {
        let line = value.line
        let isFlat = value.members.isEmpty && value.elements.isEmpty
        if isFlat || indent + taken + line.utf8.count <= width { return line }
        let space = String(repeating: " ", count: indent + 1)
        let end = "\n" + String(repeating: " ", count: indent)
        if case .array(let elements) = value {
            // Words fill lines.
            guard elements.contains(where: { $0.string == nil }) else {
                return filled(elements.map(\.line), space, end)
            }
            let lines = elements.map { space + laidOut($0, indent: indent + 1, taken: 1) }
            return "[\n" + lines.joined(separator: ",\n") + end + "]"
        }
        let lines = value.members.map { name, member in
            let key = JSON.string(name).line + ": "
            return space + key + laidOut(member, indent: indent + 1, taken: key.utf8.count + 1)
        }
        return "{\n" + lines.joined(separator: ",\n") + end + "}"
    }

    private static func filled(_ words: [String], _ space: String, _ end: String) -> String {
        var lines = [space]
        for (index, word) in words.enumerated() {
            let word = word + (index < words.count - 1 ? "," : "")
            let last = lines[lines.count - 1]
            if last != space, last.utf8.count + 1 + word.utf8.count > width {
                lines.append(space + word)
            } else {
                lines[lines.count - 1] = last == space ? space + word : last + " " + word
            }
        }
        return "[\n" + lines.joined(separator: "\n") + end + "]"
    }

    private static let width = 118
}
