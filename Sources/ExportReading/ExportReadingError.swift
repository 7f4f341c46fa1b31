/// Why an export cannot be read at all; what is merely damaged becomes a partial document instead.
package struct ExportReadingError: Error, Sendable {
    /// What kind of failure it is, as in the error codes of `docs/cli.md`.
    package enum Code: String, Sendable {
        case noSuchInput
        case notAHealthExport
        case severalHealthExports
        case encrypted
        case tooManyTypes
        case inputOutput
    }

    package var code: Code
    package var message: String
    package var hint: String

    package init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    static let utf16 = ExportReadingError(
        .notAHealthExport, "The XML is written in UTF-16; only UTF-8 is read, which the Health app writes.",
        hint: "Export again from the Health app, or convert the file (iconv -f UTF-16 -t UTF-8).")
}
