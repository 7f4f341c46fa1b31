package import HealthModel

/// Identity and version that an ECG file has as an item.
package enum ElectrocardiogramHashes {
    /// The two hashes of a file's bytes; nil where it is no ECG.
    package static func of(_ bytes: [UInt8]) -> (identity: Digest256, version: Digest256)? {
        Electrocardiogram.item(bytes, path: "", exportOffset: nil).map { ($0.identity, $0.version) }
    }
}
