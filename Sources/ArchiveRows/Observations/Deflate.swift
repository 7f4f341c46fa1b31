internal import Czlib
package import Foundation
internal import HealthModel

/// zlib's one-call compression, with the length in front.
package enum Deflate {
    /// Eight bytes of the length, little-endian, and a zlib stream.
    package static func compress(_ data: Data) throws -> Data {
        var length = compressBound(uLong(data.count))
        var out = [UInt8](repeating: 0, count: Int(length))
        let code = data.withUnsafeBytes { source in
            compress2(
                &out, &length, source.bindMemory(to: UInt8.self).baseAddress, uLong(data.count), Z_DEFAULT_COMPRESSION)
        }
        guard code == Z_OK else {
            throw HealthProbeError(
                .inputOutput, "A side file cannot be compressed.", hint: "Free some memory and try again.")
        }
        var result = Data()
        withUnsafeBytes(of: UInt64(data.count).littleEndian) { result.append(contentsOf: $0) }
        result.append(contentsOf: out[..<Int(length)])
        return result
    }

    /// The bytes that `compress` packed; nil where they are damaged.
    package static func expand(_ data: Data) -> Data? {
        guard data.count >= 8 else { return nil }
        let stated = data.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
        guard stated <= 4 << 20 else { return nil }
        var length = uLong(stated)
        var out = [UInt8](repeating: 0, count: Int(stated) + 1)
        let code = data.dropFirst(8).withUnsafeBytes { source in
            uncompress(&out, &length, source.bindMemory(to: UInt8.self).baseAddress, uLong(source.count))
        }
        guard code == Z_OK, length == stated else { return nil }
        return Data(out[..<Int(length)])
    }
}
