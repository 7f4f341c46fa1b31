internal import Foundation

/// As much of JSON Schema (2020-12) as `docs/schemas` uses; a keyword that it does not know is a failure.
package struct JSONSchema {
    private let root: [String: Any]

    /// Reads a schema of `docs/schemas`.
    ///
    /// - Throws: what the file system says.
    package init(_ name: String) throws {
        let data = try Data(contentsOf: TestSupport.repository.appendingPathComponent("docs/schemas/\(name).json"))
        root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    /// What a value does not fit, with the place in it.
    package func complaints(_ value: Any) -> [String] { Self.check(value, root, root, "$") }

    private static func check(_ value: Any, _ schema: [String: Any], _ root: [String: Any], _ place: String) -> [String]
    {
        var found: [String] = []
        for (keyword, rule) in schema {
            switch keyword {
            case "$schema", "$id", "title", "description", "$defs", "items", "additionalProperties": continue
            case "$ref":
                let name = (rule as? String)?.split(separator: "/").last.map(String.init) ?? ""
                let definition = (root["$defs"] as? [String: Any])?[name] as? [String: Any] ?? ["unknown": name]
                found += check(value, definition, root, place)
            case "type":
                let wanted = rule as? [String] ?? [rule as? String ?? ""]
                if !wanted.contains(where: { isType(value, $0) }) { found.append("\(place): is no \(wanted)") }
            case "const": if !isEqual(value, rule) { found.append("\(place): is not \(rule)") }
            case "enum":
                if !(rule as? [Any] ?? []).contains(where: { isEqual(value, $0) }) {
                    found.append("\(place): is none of the choices")
                }
            case "anyOf":
                let choices = (rule as? [[String: Any]] ?? []).map { check(value, $0, root, place) }
                if !choices.contains([]) { found += choices.joined() }
            case "pattern":
                if let text = value as? String, let pattern = rule as? String,
                    text.range(of: pattern, options: .regularExpression) == nil
                {
                    found.append("\(place): does not match \(pattern)")
                }
            case "minimum":
                if let number = value as? NSNumber, let least = rule as? NSNumber,
                    number.doubleValue < least.doubleValue
                {
                    found.append("\(place): is below \(least)")
                }
            case "required":
                guard let object = value as? [String: Any] else { continue }
                for name in rule as? [String] ?? [] where object[name] == nil {
                    found.append("\(place): lacks \(name)")
                }
            case "properties":
                guard let object = value as? [String: Any], let rules = rule as? [String: Any] else { continue }
                for (name, rule) in rules {
                    if let member = object[name], let rule = rule as? [String: Any] {
                        found += check(member, rule, root, "\(place).\(name)")
                    }
                }
            default: found.append("\(place): the schema has the keyword \(keyword), which this test does not know")
            }
        }
        return found + additional(value, schema, root, place) + elements(value, schema, root, place)
    }

    private static func additional(_ value: Any, _ schema: [String: Any], _ root: [String: Any], _ place: String)
        -> [String]
    {
        guard let object = value as? [String: Any], let rule = schema["additionalProperties"] else { return [] }
        let known = Set((schema["properties"] as? [String: Any] ?? [:]).keys)
        return object.filter { !known.contains($0.key) }.flatMap { name, member -> [String] in
            if let rule = rule as? [String: Any] { return check(member, rule, root, "\(place).\(name)") }
            return rule as? Bool == false ? ["\(place): has the unknown member \(name)"] : []
        }
    }

    private static func elements(_ value: Any, _ schema: [String: Any], _ root: [String: Any], _ place: String)
        -> [String]
    {
        guard let array = value as? [Any], let rule = schema["items"] as? [String: Any] else { return [] }
        return array.enumerated().flatMap { check($1, rule, root, "\(place)[\($0)]") }
    }

    private static func isType(_ value: Any, _ name: String) -> Bool {
        switch name {
        case "null": return value is NSNull
        case "string": return value is String
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "boolean": return (value as? NSNumber).map { isBoolean($0) } ?? false
        case "number": return (value as? NSNumber).map { !isBoolean($0) } ?? false
        case "integer":
            return (value as? NSNumber).map { !isBoolean($0) && $0.doubleValue == $0.doubleValue.rounded() } ?? false
        default: return false
        }
    }

    private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    private static func isEqual(_ a: Any, _ b: Any) -> Bool {
        if a is NSNull || b is NSNull { return a is NSNull && b is NSNull }
        return (a as? NSObject)?.isEqual(b) ?? false
    }
}
