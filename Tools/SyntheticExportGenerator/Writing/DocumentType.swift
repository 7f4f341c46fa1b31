/// The document type definition at the head of an export, by version.
enum DocumentType {
    /// The text from `<!DOCTYPE` to `]>` with the newline after it.
    static func text(_ version: ExportVersion) -> String {
        switch version {
        // As iOS 10 and 11, and as iOS 12.3 write it.
        case .v3: String(decoding: PackageResources.version_3_dtd, as: UTF8.self)
        case .v8: String(decoding: PackageResources.version_8_dtd, as: UTF8.self)
        case .v11: version11
        case .v12: version12
        case .v13: version13
        case .v14: version14
        }
    }

    /// As iOS 18.1 and later write it.
    private static let version14 = String(decoding: PackageResources.version_14_dtd, as: UTF8.self)

    /// Version 14 without what 18.1 added to the points of an audiogram.
    private static let version13: String = lines(version14) { line in
        !line.contains("EarMasked") && !line.contains("EarClampingRange")
    }.replacing("Export Version: 14", with: "Export Version: 13")

    /// Version 13 without prescriptions, statistics and activities.
    private static let version11: String = {
        var text = version13.replacing("Export Version: 13", with: "Export Version: 11")
        for element in [
            "VisionPrescription", "RightEye", "LeftEye", "Attachment", "WorkoutStatistics", "WorkoutActivity",
        ] {
            text = text.removing(from: "<!ELEMENT \(element) ", through: "\n>\n")
        }
        text = text.replacing("|Audiogram|VisionPrescription)*", with: "|Audiogram)*")
            .replacing("|WorkoutRoute|WorkoutStatistics)*", with: "|WorkoutRoute)*")
        return lines(text) { !$0.contains("CardioFitnessMedicationsUse") }
    }()

    /// The malformed one of iOS 16.0: a list that does not end, a stray attribute, a second declaration, a bracket too many.
    private static let version12: String =
        version13
        .replacing("Export Version: 13", with: "Export Version: 12")
        .replacing("brand            CDATA #IMPLIED\n>\n", with: "brand            CDATA #IMPLIED\n")
        .removing(from: "<!ELEMENT Attachment ", through: "\n>\n")
        .replacing(
            "\n]>\n",
            with: "\n  device        CDATA #IMPLIED\n<!ELEMENT MetadataEntry EMPTY>\n<!ATTLIST MetadataEntry\n"
                + "  key   CDATA #REQUIRED\n  value CDATA #REQUIRED\n>\n>\n]>\n")

    private static func lines(_ text: String, keeping: (Substring) -> Bool) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).filter(keeping).joined(separator: "\n")
    }
}

extension String {
    /// The text without the part from `start` to the end of the next `end`.
    fileprivate func removing(from start: String, through end: String) -> String {
        guard let first = firstRange(of: start) else { return self }
        guard let last = self[first.upperBound...].firstRange(of: end) else { return self }
        return String(self[..<first.lowerBound] + self[last.upperBound...])
    }
}

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
