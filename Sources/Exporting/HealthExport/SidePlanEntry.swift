/// A side file of a zip: where it lies there and which stored file it is.
struct SidePlanEntry {
    /// Relative to the export's folder.
    var path: String
    var fileID: Int64
    var byteCount: Int64
}
