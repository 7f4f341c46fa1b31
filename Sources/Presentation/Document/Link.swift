extension Document {
    /// Another question that a text leads to, as the command and the options that ask it.
    ///
    /// A page that can answer it makes a link of it; all other renderers ignore it.
    package struct Link: Sendable {
        /// A command's name, and after a slash what it is asked for: `diff/records`.
        package var command: String
        /// Long names of options with their values.
        package var options: [(name: String, value: String)]

        /// - Parameter options: those without a value are left out.
        package init(_ command: String, _ options: KeyValuePairs<String, String?> = [:]) {
            self.command = command
            self.options = options.compactMap { name, value in value.map { (name, $0) } }
        }
    }
}
