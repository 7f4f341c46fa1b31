internal import Clibxml2

/// From the bytes of an Apple Health export to prepared items.
///
/// The stages are folders: `Container/` finds the main XML and the side files in a zip, a folder or a bare file and
/// streams them; `Filtering/` makes known defects well-formed without moving a byte; `Parsing/` copies plain items onto a
/// tape and runs libxml2 over all others; `Preparing/` turns the tape into items with identity and version;
/// `Pipeline/` runs the stages on threads with bounded queues between them. Nothing here knows a database.
package enum ExportReading {
    /// The caps of docs/export-format.md.
    package enum Limits {
        package static let depth = 64
        /// Elements that are open at a time, whatever becomes of their item: the parser keeps each, some 40 bytes.
        static let openElements = 1_000_000
        package static let attributes = 1024
        package static let tagBytes = 16 << 20
        package static let itemBytes = 64 << 20
        /// Elements in one item; a real item has a few thousand, and each costs memory while the item is prepared.
        package static let itemElements = 100_000
        package static let prologBytes = 1 << 20
        /// Types in one export, unknown elements among them. Each costs memory in every stage, some kilobytes in all;
        /// HealthKit has about three hundred.
        package static let types = 20_000
        /// Source names in one export, and as many units and devices; the most sources of a phone known are 683.
        package static let names = 20_000
        /// Combinations of source, version, unit and device in one export; real ones have some thousand.
        package static let descriptors = 50_000
    }

    /// The libraries that read exports, with the versions in use.
    package static var libraries: [(String, String)] {
        [("libxml2", LIBXML_DOTTED_VERSION), ("libzip", UnsafeZipFile.libraryVersion)]
    }
}
