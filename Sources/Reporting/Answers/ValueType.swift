package import Basics
package import Training

/// What the values of a column are: their JSON Schema, their unit, and to how many decimals they are rounded.
package struct ValueType: Sendable {
    /// The JSON Schema of a value that is there.
    private var present: JSON
    /// The name under which a schema defines it once, for what is long.
    private(set) var definition: String?
    /// Whether it may be `null`.
    private(set) var isOptional = false
    /// In words, without the unit: `number`, `day`.
    package let name: String
    package private(set) var unit: String?
    private var rounding: Rounding?

    init(_ name: String, _ schema: JSON, definition: String? = nil) {
        (self.name, present, self.definition) = (name, schema, definition)
    }

    /// The same, or `null`.
    package var optional: ValueType {
        var type = self
        type.isOptional = true
        return type
    }

    /// A number in a unit.
    package static func number(_ rounding: Rounding? = nil, in unit: String? = nil) -> ValueType {
        var type = ValueType("number", ["type": "number"])
        (type.rounding, type.unit) = (rounding, unit)
        return type
    }

    /// How many records there are per minute of active time.
    package static let density = number(.measure, in: "1/min").optional
    /// A whole number from 0.
    package static let count = ValueType("whole number", ["type": "integer", "minimum": 0])
    /// A whole number of any sign.
    package static let integer = ValueType("whole number", ["type": "integer"])
    package static let text = ValueType("text", ["type": "string"])
    package static let flag = ValueType("true or false", ["type": "boolean"])
    /// `2024-05-01T10:00:00.000Z`.
    package static let instant = ValueType(
        "instant",
        [
            "type": "string",
            "pattern": #"^[+-]?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"#,
        ], definition: "instant")
    /// `2024-05-01`.
    package static let day = ValueType(
        "day", ["type": "string", "pattern": "^[+-]?[0-9]{4,}-[0-9]{2}-[0-9]{2}$"], definition: "day")
    /// A SHA-256.
    package static let digest = ValueType(
        "SHA-256", ["type": "string", "pattern": "^[0-9a-f]{64}$"], definition: "sha256")
    /// The labels of a workout or a day.
    package static let labels = list(choice(Label.self).defined("label"), called: "labels")

    /// One of a few words.
    package static func choice<Value: RawRepresentable<String> & CaseIterable>(_: Value.Type) -> ValueType {
        choice(Value.allCases.map(\.rawValue))
    }

    package static func choice(_ words: [String]) -> ValueType {
        ValueType(words.map { "`\($0)`" }.joined(separator: ", "), ["enum": .array(words.map { .string($0) })])
    }

    /// The same value in every row.
    package static func constant(_ value: JSON) -> ValueType { ValueType("`\(value.line)`", ["const": value]) }

    /// - Parameter element: what its elements are; nil for anything.
    package static func list(_ element: ValueType?, called name: String = "list") -> ValueType {
        guard let element else { return ValueType(name, ["type": "array"]) }
        var type = ValueType(name, ["type": "array", "items": element.schema])
        type.elementDefinitions = element.definitions
        return type
    }

    /// An object whose members are columns themselves, or whose members are the export's own.
    package static func object(_ schema: JSON = ["type": "object"]) -> ValueType { ValueType("object", schema) }

    /// An object that has columns of its own, which a schema defines once under a name.
    package static func object<Row, Answer>(_ columns: Columns<Row, Answer>, defined name: String) -> ValueType {
        var type = ValueType("object", columns.rowSchema, definition: name)
        type.elementDefinitions = columns.definitions
        return type
    }

    /// Counts by name.
    package static let counts = ValueType(
        "counts by name", ["type": "object", "additionalProperties": ["type": "integer", "minimum": 0]],
        definition: "counts")

    private var elementDefinitions: [(name: String, schema: JSON)] = []

    private func defined(_ name: String) -> ValueType {
        var type = self
        type.definition = name
        return type
    }

    /// What `schema` refers to.
    var definitions: [(name: String, schema: JSON)] {
        elementDefinitions + (definition.map { [($0, present)] } ?? [])
    }

    /// The JSON Schema.
    var schema: JSON {
        let schema = definition.map { ["$ref": .string("#/$defs/\($0)")] } ?? present
        guard isOptional else { return schema }
        switch (schema["type"], schema["enum"]) {
        case (.array(let types)?, _):
            return .object([("type", .array(types + ["null"]))] + schema.members.filter { $0.0 != "type" })
        case (.string(let type)?, _):
            let rest = schema.members.filter { $0.0 != "type" }
            return .object([("type", .array([.string(type), "null"]))] + rest)
        case (_, .array(let words)?): return ["enum": .array(words + [.null])]
        default: return ["anyOf": [schema, ["type": "null"]]]
        }
    }

    /// A value as it is printed.
    func json(_ value: (any JSONConvertible)?) -> JSON {
        guard let value else { return .null }
        guard let rounding, let number = value as? Double else { return value.json }
        return rounding.json(number)
    }
}
