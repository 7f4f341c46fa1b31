internal import Basics

/// The members of one object of a companion file; what does not fit is noted among the findings.
struct CompanionFields {
    /// Where the object is, as RFC 6901 writes it.
    let pointer: String
    private let members: [(String, JSON)]
    private let findings: CompanionFindings
    private var known: Set<String> = []

    /// Nil, and noted, where the value is no object.
    init?(_ value: JSON, _ pointer: String, _ findings: CompanionFindings) {
        guard case .object(let members) = value else {
            findings.note(.wrongType, pointer, "expected an object")
            return nil
        }
        self.members = members
        self.pointer = pointer
        self.findings = findings
    }

    /// The pointer of a member.
    func pointer(_ name: String) -> String {
        pointer + "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// Whether a member is there, and not null.
    func has(_ name: String) -> Bool { members.contains { $0.0 == name && $0.1 != .null } }

    private mutating func value(_ name: String) -> JSON? {
        known.insert(name)
        return members.first { $0.0 == name }?.1
    }

    /// The value of a member that must be there; nil, and noted, where it is missing or does not fit.
    mutating func required<Value>(_ name: String, _ kind: FieldKind<Value>) -> Value? {
        guard let value = value(name) else {
            note(.missingMember, at: name, "expected " + kind.expected)
            return nil
        }
        return read(value, name, kind)
    }

    /// The value of a member that may be null or missing.
    mutating func optional<Value>(_ name: String, _ kind: FieldKind<Value>) -> Value? {
        guard let value = value(name), value != .null else { return nil }
        return read(value, name, kind)
    }

    /// The value of a member that may be missing.
    mutating func value<Value>(_ name: String, _ kind: FieldKind<Value>, or standard: Value) -> Value {
        guard let value = value(name) else { return standard }
        return read(value, name, kind) ?? standard
    }

    private func read<Value>(_ value: JSON, _ name: String, _ kind: FieldKind<Value>) -> Value? {
        switch kind.read(value) {
        case .success(let value): return value
        case .failure(let code):
            note(code, at: name, "expected " + kind.expected)
            return nil
        }
    }

    /// The object's own id, noted so that references find it.
    mutating func id(of target: CompanionFindings.Target = .other) -> String? {
        guard let id = required("id", .uuid) else { return nil }
        findings.add(id: id, of: target, pointer("id"))
        return id
    }

    /// The id of another object of the file.
    @discardableResult
    mutating func reference(_ name: String, to target: CompanionFindings.Target, isRequired: Bool = true) -> String? {
        guard let id = isRequired ? required(name, .uuid) : optional(name, .uuid) else { return nil }
        findings.add(reference: id, to: target, pointer(name))
        return id
    }

    /// The objects of a list: those that `make` can be made of.
    mutating func list<Element>(
        _ name: String, isRequired: Bool = false, most: Int = .max, _ make: (inout CompanionFields) -> Element?
    ) -> [Element] {
        guard let value = value(name) else {
            if isRequired { note(.missingMember, at: name, "expected an array") }
            return []
        }
        guard case .array(let elements) = value else {
            note(.wrongType, at: name, "expected an array")
            return []
        }
        guard elements.count <= most else {
            note(.outOfRange, at: name, "expected at most \(most)")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            CompanionFields(element, "\(pointer(name))/\(index)", findings).flatMap { $0.made(make) }
        }
    }

    /// The object in a member that may be null or missing.
    mutating func object<Element>(_ name: String, _ make: (inout CompanionFields) -> Element?) -> Element? {
        guard let value = value(name), value != .null else { return nil }
        return CompanionFields(value, pointer(name), findings).flatMap { $0.made(make) }
    }

    /// What `make` makes of the object; members that it did not read are noted, unless their names begin with `x-`.
    func made<Element>(_ make: (inout CompanionFields) -> Element?) -> Element? {
        var fields = self
        let element = make(&fields)
        fields.noteUnknownMembers()
        return element
    }

    private func noteUnknownMembers() {
        var seen: Set<String> = []
        for (name, _) in members where !name.hasPrefix("x-") {
            if !known.contains(name) {
                note(.unknownMember, at: name, "no member of this object has this name")
            } else if !seen.insert(name).inserted {
                note(.unknownMember, at: name, "the object has this name twice")
            }
        }
    }

    /// The trigger of a message.
    mutating func trigger(_ name: String) -> Trigger? {
        guard let spec = value(name) else {
            note(.missingMember, at: name, "expected an object")
            return nil
        }
        do {
            return try Trigger(spec)
        } catch {
            switch error {
            case .badTrigger(let message): note(.badTrigger, at: name, message)
            case .badExpression(let error):
                findings.note(
                    .badExpression, pointer(name) + "/expression", "expected " + error.expected, column: error.column)
            }
        }
        return nil
    }

    /// Notes an error about a member, or about the object itself.
    func note(_ code: CompanionFinding.ErrorCode, at name: String? = nil, _ message: String) {
        findings.note(code, name.map(pointer) ?? pointer, message)
    }
}
