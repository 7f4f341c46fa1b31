internal import Basics
internal import Czlib
package import Foundation
internal import HealthModel

/// zlib's one-call compression, with the length in front.
package enum Deflate {
    private static let lengthBytes = 8
    /// No part of a side file is longer.
    package static let maximumBytes = 4 << 20

    /// The version of zlib that is in use.
    package static var libraryVersion: String { unsafe String(cString: zlibVersion()) }

    /// Eight bytes of the length, little-endian, and a zlib stream.
    package static func compress(_ data: Data) throws -> Data {
        let bound = compressBound(uLong(data.count))
        let out = ByteBuffer(capacity: Self.lengthBytes + Int(bound))
        out.append(long: Int64(data.count))
        var code = Z_OK
        data.withByteView { source in
            _ = unsafe out.append(upTo: Int(bound)) { room in
                var length = bound
                let start = unsafe room.bindMemory(to: UInt8.self).baseAddress
                code = unsafe compress2(
                    start, &length, source.start, uLong(source.count), Z_DEFAULT_COMPRESSION)
                return code == Z_OK ? Int(length) : 0
            }
        }
        guard code == Z_OK else {
            throw HealthProbeError(
                .inputOutput, "A side file cannot be compressed.", hint: "Free some memory and try again.")
        }
        return Data(out.view)
    }

    /// The bytes that `compress` packed; nil where they are damaged, or more than `limit`.
    package static func expand(_ data: Data, limit: Int = maximumBytes) -> Data? {
        data.withByteView { packed in
            // A zlib stream expands to 1,032 times its length at most.
            guard packed.count >= Self.lengthBytes, packed.long(at: 0) <= limit,
                packed.long(at: 0) <= 1_040 * packed.count
            else { return nil }
            let stated = Int(packed.long(at: 0))
            let source = packed[Self.lengthBytes...]
            let out = ByteBuffer(capacity: stated + 1)
            var code = Z_OK
            let length = unsafe out.append(upTo: stated + 1) { room in
                var length = uLong(stated)
                let start = unsafe room.bindMemory(to: UInt8.self).baseAddress
                code = unsafe uncompress(start, &length, source.start, uLong(source.count))
                return code == Z_OK ? Int(length) : 0
            }
            return code == Z_OK && length == stated ? Data(out.view) : nil
        }
    }
}
