extension String {
    /// Text of an export inside a text of the program's own: a page isolates it, so that its direction cannot reorder what is
    /// around it.
    package var quoted: String { "\(Quotation.start)\(filter { !Quotation.marks.contains($0) })\(Quotation.end)" }

    /// The text without the marks around what is quoted.
    package var unquoted: String {
        utf8.contains(Quotation.firstByte) ? filter { !Quotation.marks.contains($0) } : self
    }
}

/// Around a text of an export: the characters that Unicode has for it (Annex 9).
enum Quotation {
    static let start: Character = "\u{2068}"
    static let end: Character = "\u{2069}"
    static let marks = [start, end]
    /// Of the UTF-8 of both.
    static let firstByte: UInt8 = 0xE2
}
