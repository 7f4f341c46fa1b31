internal import Basics
internal import Caching
internal import Store
internal import Synchronization
internal import Training

/// The basis that was read last, with what tells that it is still the same.
final class LatestBasis: Sendable {
    fileprivate struct Known {
        /// What the connection and the files said before it was read.
        let signs: [String?]
        let keyPlace: KeyPlace
        let lacksKey: Bool
        let text: String
    }

    fileprivate let known = Mutex<Known?>(nil)
}

extension Site {
    /// All that answers about a chain are made from: the state of the archive and of its files, which somebody may edit, whether
    /// an import writes, and what the person has set; nil where it cannot be read.
    var basis: String? {
        guard let reader = try? archive(), let signs = try? signs(reader) else { return nil }
        if let known = latestBasis.known.withLock(\.self), known.signs == signs,
            known.keyPlace.isMissing == known.lacksKey
        {
            return known.text
        }
        return try? reader.read { db in
            let state = try StatePage(db, path: reader.path)
            let keyPlace = try keys.place(ArchiveIdentity.read(db))
            let lacksKey = keyPlace.isMissing
            let archive = try ArchiveStamp.read(db, hasKey: !lacksKey)
            let settings = settings
            let athlete = try? AthleteSettings.read(nil, environment: environment).sha256
            let text = JSON.array(
                [.string(archive), state.line, .optional(athlete)]
                    + ArchiveStamp.files(ofDatabase: reader.path).map { .optional($0) }
                    + Settings.Key.allCases.map { settings[$0] }
            ).canonicalText
            let known = LatestBasis.Known(signs: signs, keyPlace: keyPlace, lacksKey: lacksKey, text: text)
            // No file says whether an import that has not ended still runs.
            latestBasis.known.withLock { $0 = state.hasOpenImport ? nil : known }
            return text
        }
    }

    private func signs(_ reader: ArchiveReader) throws -> [String?] {
        let files = [settingsFile?.path, AthleteSettings.usualPath(environment)]
        return try ["\(ObjectIdentifier(reader)) \(reader.dataVersion())"]
            + [reader.path, cache?.path].flatMap { $0.map(ArchiveStamp.files) ?? [] }
            + files.map { $0.flatMap(ArchiveStamp.file) }
    }
}
