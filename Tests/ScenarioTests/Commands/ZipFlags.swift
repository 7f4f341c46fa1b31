import Foundation
import TestSupport

/// Marks the members of a zip as encrypted, in local headers and in the directory.
enum ZipFlags {
    /// - Throws: what the file system says.
    static func setEncrypted(_ path: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // Signature, and where the general-purpose flags stand behind it.
        let headers: [(signature: [UInt8], flags: Int)] = [
            ([0x50, 0x4B, 0x03, 0x04], 6), ([0x50, 0x4B, 0x01, 0x02], 8),
        ]
        var count = 0
        for index in 0..<max(0, bytes.count - 12) {
            for header in headers where Array(bytes[index..<index + 4]) == header.signature {
                bytes[index + header.flags] |= 1
                count += 1
            }
        }
        guard count >= 2 else { throw TestSupport.Failure("no zip at \(path)") }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
