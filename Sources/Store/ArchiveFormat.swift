/// The archive: one SQLite file that holds every sample and each of its representations once.
///
/// This target is the file and its rows: its layout (`Schema/`), how it becomes a connection (`Opening/`: state, lock,
/// temporary files), its secret (`Keys/`), what runs on a connection (`Statements/`: SQLite's C interface, temporary tables,
/// values of rows), and what is stored (`Observations/`, `Rows/`). The targets above it know only those before them: `Days`
/// and `Evidence`, `History`, `Questions` and `Care`.
/// XML never comes here: items arrive as pages.
package enum ArchiveFormat {
    /// Seconds since 1970 that no stored instant reaches, 34,000 years: a damaged archive's may be anything.
    package static let highestInstant: UInt64 = 1 << 40

    /// `HPrb`, the SQLite application id of every archive.
    package static let applicationID: Int32 = 0x4850_7262
    /// The schema this program writes; an archive with a higher one is refused.
    package static var schemaVersion: Int { Schema.versions.newest.version }
    /// What `archive_metadata` says for those who open the file with other tools.
    package static let about = "HealthProbe archive; docs/archive-format.md describes every table and view."
    /// `closed_observation_id` of a row that is still visible.
    ///
    /// A number of one byte rather than NULL: closing a row then does not make its row longer, so full pages of the
    /// first import need not be split when a later export renames a source.
    package static let open: Int64 = -1
}
