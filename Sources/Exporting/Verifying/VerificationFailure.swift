/// The first thing that is wrong with an export.
package struct VerificationFailure: Error, Sendable {
    /// The file inside the bag; nil where the bag as a whole is meant.
    package var file: String?
    /// The line of the file, from 1; nil where no line is meant.
    package var line: Int64?
    /// The item, from 1; nil where no item is meant.
    package var item: Int64?
    package var message: String

    init(_ message: String, file: String? = nil, line: Int64? = nil, item: Int64? = nil) {
        self.message = message
        self.file = file
        self.line = line
        self.item = item
    }

    /// Place and message in one sentence.
    package var text: String {
        var place: [String] = []
        if let file { place.append(file) }
        if let item { place.append("item \(item)") }
        if let line { place.append("line \(line)") }
        return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ") + message
    }
}
