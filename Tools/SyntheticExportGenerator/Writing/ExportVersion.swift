/// The version of the export format, as the comment in the document type definition states it.
package enum ExportVersion: Int, CaseIterable, Sendable {
    /// iOS 10 and 11.
    case v3 = 3
    /// iOS 12: clinical records, beats, routes with the points inside.
    case v8 = 8
    /// iOS 13 to 15: route files, audiograms.
    case v11 = 11
    /// iOS 16.0 and 16.1: the definition is malformed; statistics and activities of workouts.
    case v12 = 12
    /// From iOS 16.2.
    case v13 = 13
    /// From iOS 18.
    case v14 = 14

    /// The number in the comment.
    package var number: Int { rawValue }
}
