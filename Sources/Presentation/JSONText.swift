/// Whole JSON values as text: one line, no spaces.
package enum JSONText {
    /// The value as one line of JSON, without a line end.
    package static func string(_ value: JSON) -> String {
        var writer = JSONWriter()
        writer.append(value)
        return writer.text
    }

    /// The string with quotation marks and escapes, as it stands in JSON.
    package static func quoted(_ string: String) -> String {
        var writer = JSONWriter()
        writer.append(string)
        return writer.text
    }
}
