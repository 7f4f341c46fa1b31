/// A side file of a zip: where it lies there and which stored file it is.
struct SidePlanEntry {
    /// Relative to the export's folder.
    var path: String
    var fileID: Int64
    /// Nil where the file is written with another header than it was stored with.
    var byteCount: Int64?
}
