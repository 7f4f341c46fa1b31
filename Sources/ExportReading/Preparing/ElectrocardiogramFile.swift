package import HealthModel
package import TextFormats

/// The bytes of an ECG file, for those who write exports.
package enum ElectrocardiogramFile {
    /// Whether the file at a path of an export is read as an ECG: what else is in their folder is only stored.
    package static func isOne(_ path: String) -> Bool {
        SideFile.kind(of: path) == .electrocardiogram && path.lowercased().hasSuffix(".csv")
    }

    /// Identity and version that the file has as an item; nil where it is no ECG.
    package static func hashes(_ bytes: [UInt8]) -> (identity: Digest256, version: Digest256)? {
        Electrocardiogram.item(bytes, path: "", exportOffset: nil).map { ($0.content.identity, $0.content.version) }
    }

    /// The file with other values in its header, whose words are those of the format; nil where it is no ECG.
    ///
    /// - Parameter change: gets the values by name, but for the recorded instant; a value that is not returned is blank.
    package static func rewritten(
        _ bytes: [UInt8], _ change: ([(name: String, value: JSON)]) -> [(name: String, value: JSON)]
    ) -> [UInt8]? {
        Electrocardiogram.rewritten(bytes, change)
    }
}
