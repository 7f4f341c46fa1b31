internal import ArgumentParser

/// The value of an option that names something: nothing is named by an empty text.
enum NamedArgument {
    /// The value as it was given.
    ///
    /// - Throws: `ValidationError` where it is empty.
    static func read(_ text: String) throws -> String {
        guard !text.isEmpty else { throw ValidationError("The value is empty.") }
        return text
    }
}
