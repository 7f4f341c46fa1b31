internal import Basics

/// Commands of this program, for a person who copies them into a shell.
package enum CommandText {
    /// A command with its words; the chain that has no name of its own is left out.
    package static func line(_ words: [String], chain: String = "default") -> String {
        let choice = chain == "default" ? [] : option("chain", chain)
        return (["healthprobe"] + words + choice).map(quoted).joined(separator: " ")
    }

    /// An option with its value, which would be read as an option itself where it begins with a hyphen.
    package static func option(_ name: String, _ value: String) -> [String] {
        value.hasPrefix("-") ? ["--\(name)=\(value)"] : ["--\(name)", value]
    }

    /// A word as a shell reads it.
    private static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy { $0.isAlphanumeric || "-_./:,=+@".utf8.contains($0) }
        return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}
