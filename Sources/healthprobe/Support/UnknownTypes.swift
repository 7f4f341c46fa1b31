internal import Archive
internal import HealthModel

/// Types on the command line that no type of the archive answers to: probably misspelt, and worth a word.
enum UnknownTypes {
    /// What is to be said of them; nil where there are none.
    static func warning(_ arguments: [String], _ db: ArchiveDatabase) throws -> String? {
        let filter = TypeFilter(arguments)
        guard !filter.isEmpty else { return nil }
        let unknown = filter.unmatchedArguments(among: try RecordPage.typeIdentifiers(db))
        return unknown.isEmpty ? nil : "No type of the archive answers to \(unknown.joined(separator: ", "))."
    }
}

extension CommonOptions {
    /// Says on standard error which of these types no type of the archive answers to.
    func noteUnknownTypes(_ arguments: [String], _ db: ArchiveDatabase) throws {
        if let warning = try UnknownTypes.warning(arguments, db) { note(warning) }
    }
}
