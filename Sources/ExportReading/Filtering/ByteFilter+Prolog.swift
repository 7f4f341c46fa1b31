package import Basics

extension ByteFilter {
    /// Where the DOCTYPE (if there is one) and the root element's tag start; nil when the root is not among these bytes.
    ///
    /// Comments, processing instructions and the quoted literals of a DTD are passed over: a `<HealthData>` in one is no
    /// root. What of a DTD is malformed (iOS 16.0 wrote that) is searched for the root as it is.
    package static func prolog(_ bytes: ByteView) -> (doctype: Int?, root: Int)? {
        var doctype: Int?
        var root: Int?
        ByteMarkup.forEach(in: bytes) { at in
            func starts(_ mark: StaticString) -> Bool { bytes.has(mark, at: at) }
            if starts("<!DOCTYPE") || (doctype != nil && (starts("<!ENTITY") || starts("<!NOTATION"))) {
                // The literals of other declarations have no `<` in a document that is well-formed.
                doctype = doctype ?? at
                return endOfDeclaration(bytes, from: at + 2)
            }
            if ByteMarkup.names("<HealthData", bytes, at: at) { root = at }
            return root == nil ? at + 1 : nil
        }
        return root.map { (doctype, $0) }
    }

    /// Where a declaration ends (a DOCTYPE with declarations in it: where those begin), quoted literals passed over;
    /// `from` where it is malformed, nil where it does not end among these bytes.
    private static func endOfDeclaration(_ bytes: ByteView, from: Int) -> Int? {
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
