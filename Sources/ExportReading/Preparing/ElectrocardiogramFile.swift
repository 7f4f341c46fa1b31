package import HealthModel

/// The bytes of an ECG file, for those who write exports.
package enum ElectrocardiogramFile {
    /// Identity and version that the file has as an item; nil where it is no ECG.
    package static func hashes(_ bytes: [UInt8]) -> (identity: Digest256, version: Digest256)? {
        Electrocardiogram.item(bytes, path: "", exportOffset: nil).map { ($0.identity, $0.version) }
    }

    /// The file with other values in its header, whose words are those of the format; nil where it is no ECG.
    ///
    /// - Parameter change: gets the values by name, but for the recorded instant; a value that is not returned is blank.
    package static func rewritten(
        _ bytes: [UInt8], _ change: ([(name: String, value: CanonicalJSON)]) -> [(name: String, value: CanonicalJSON)]
    ) -> [UInt8]? {
        Electrocardiogram.rewritten(bytes, change)
    }
}
