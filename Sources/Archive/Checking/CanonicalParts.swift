internal import HealthModel

/// The top-level parts of stored canonical JSON, as they stand there.
enum CanonicalParts {
    /// The members of an object: the name between its quotes, and the value's text. Nil where it is no object.
    static func members(_ json: [UInt8]) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]? {
        guard let parts = split(json, open: 0x7B, close: 0x7D) else { return nil }
        var members: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
        for part in parts {
            guard part.first == 0x22, let quote = endOfString(part, from: part.startIndex + 1),
                quote + 1 < part.endIndex, part[quote + 1] == 0x3A
            else { return nil }
            members.append((part[(part.startIndex + 1)..<quote], part[(quote + 2)...]))
        }
        return members
    }

    /// The object of members, sorted by their names, which must be ASCII: then bytes sort as UTF-16 does.
    static func object(_ members: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]) -> [UInt8] {
        var text: [UInt8] = [0x7B]
        for (index, member) in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }).enumerated() {
            if index > 0 { text.append(0x2C) }
            text.append(0x22)
            text += member.name
            text += [0x22, 0x3A]
            text += member.value
        }
        text.append(0x7D)
        return text
    }

    /// The elements of an array; nil where it is none.
    static func elements(_ json: [UInt8]) -> [ArraySlice<UInt8>]? { split(json, open: 0x5B, close: 0x5D) }

    private static func split(_ json: [UInt8], open: UInt8, close: UInt8) -> [ArraySlice<UInt8>]? {
        guard json.count >= 2, json.first == open, json.last == close else { return nil }
        var parts: [ArraySlice<UInt8>] = []
        var depth = 0
        var from = 1
        var at = 1
        let end = json.count - 1
        while at < end {
            switch json[at] {
            case 0x22:
                guard let quote = endOfString(json[...], from: at + 1), quote < end else { return nil }
                at = quote
            case 0x5B, 0x7B: depth += 1
            case 0x5D, 0x7D:
                depth -= 1
                if depth < 0 { return nil }
            case 0x2C where depth == 0:
                parts.append(json[from..<at])
                from = at + 1
            default: break
            }
            at += 1
        }
        guard depth == 0 else { return nil }
        if from < end || !parts.isEmpty { parts.append(json[from..<end]) }
        return parts
    }

    /// Where the string that began before `from` has its closing quote.
    private static func endOfString(_ json: ArraySlice<UInt8>, from: Int) -> Int? {
        var at = from
        while at < json.endIndex {
            if json[at] == 0x5C {
                at += 1
            } else if json[at] == 0x22 {
                return at
            }
            at += 1
        }
        return nil
    }
}
