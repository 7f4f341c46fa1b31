import Foundation

/// Damages a finished zip.
enum ZipDamage {
    /// Applies the kinds of damage that concern the zip itself.
    static func apply(_ malformations: [Malformation], to path: String) throws {
        for kind in malformations where kind == .zipChecksum || kind == .zipTruncated {
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            let size = try handle.seekToEnd()
            if kind == .zipTruncated {
                try handle.truncate(atOffset: size * 3 / 4)
            } else {
                try flipDigit(handle, from: size / 4)
            }
            try handle.close()
        }
    }

    /// Replaces one digit by another: the XML stays well-formed, only the checksum shows it.
    private static func flipDigit(_ handle: FileHandle, from offset: UInt64) throws {
        try handle.seek(toOffset: offset)
        guard let bytes = try handle.read(upToCount: 65_536), let place = bytes.firstIndex(where: { $0 == 0x37 }) else {
            return
        }
        try handle.seek(toOffset: offset + UInt64(place - bytes.startIndex))
        try handle.write(contentsOf: Data([0x38]))
    }
}
