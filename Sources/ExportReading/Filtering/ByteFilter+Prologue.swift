extension ByteFilter {
    /// Where the DOCTYPE (if there is one) and the root element's tag start; nil when the root is not among these bytes.
    ///
    /// Comments, processing instructions and the quoted literals of a DTD are passed over: a `<HealthData>` in one is no
    /// root. What of a DTD is malformed (iOS 16.0 wrote that) is searched for the root as it stands.
    package static func prologue(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> (doctype: Int?, root: Int)? {
        var doctype: Int?
        var from = 0
        while let at = find("<", in: bytes, from: from, to: bytes.count) {
            func starts(_ mark: StaticString) -> Bool {
                find(mark, in: bytes, from: at, to: min(at + mark.utf8CodeUnitCount, bytes.count)) == at
            }
            from = at + 1
            if starts("<!--") {
                guard let end = find("-->", in: bytes, from: at + 4, to: bytes.count) else { return nil }
                from = end + 3
            } else if starts("<?") {
                guard let end = find("?>", in: bytes, from: at + 2, to: bytes.count) else { return nil }
                from = end + 2
            } else if starts("<!DOCTYPE") || (doctype != nil && (starts("<!ENTITY") || starts("<!NOTATION"))) {
                // The literals of other declarations have no `<` in a document that is well-formed.
                doctype = doctype ?? at
                guard let end = endOfDeclaration(bytes, from: at + 2) else { return nil }
                from = end
            } else if starts("<HealthData") {
                guard at + 11 < bytes.count else { return nil }
                let next = bytes[at + 11]
                if isSpace(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/") { return (doctype, at) }
            }
        }
        return nil
    }

    /// Where a declaration ends (a DOCTYPE with declarations in it: where those begin), quoted literals passed over;
    /// `from` where it is malformed, nil where it does not end among these bytes.
    private static func endOfDeclaration(_ bytes: UnsafeMutableBufferPointer<UInt8>, from: Int) -> Int? {
        var quote: UInt8?
        for at in from..<bytes.count {
            let byte = bytes[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
                case UInt8(ascii: ">"), UInt8(ascii: "["): return at + 1
                case UInt8(ascii: "<"): return from
                default: break
                }
            }
        }
        return nil
    }
}
