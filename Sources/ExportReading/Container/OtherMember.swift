internal import Basics
internal import Foundation
package import HealthModel

/// A file of a container.
package struct ContainerFile: Sendable {
    /// In the container.
    package var name: String
    package var byteCount: Int64
    var place: SideFile.Place
    /// Whether it is compressed in a way that can be unpacked.
    var isReadable = true
}

extension ExportContainer {
    /// What is before the paths of side files: the folder of the main XML.
    package var memberPrefix: String {
        guard form != .xml else { return "" }
        let root = (mainName as NSString).deletingLastPathComponent
        return root.isEmpty ? "" : root + "/"
    }

    /// The hashing of the members that are not read otherwise.
    package var otherMemberHashing: OtherMemberHashing {
        OtherMemberHashing(
            members: otherMembers, zip: form == .zip ? path : nil,
            unpackedLimit: form == .zip ? byteCount * OtherMemberHashing.mostUnpacking : .max)
    }
}

/// Hashes the members of a container that are not read otherwise; opens it anew, so that it may run beside other readings.
package struct OtherMemberHashing: Sendable {
    let members: [ContainerFile]
    /// The path of the container, where it is a zip.
    let zip: String?
    /// How many bytes are unpacked at most.
    let unpackedLimit: Int64

    /// How often its own length the files of a zip that are not read otherwise may have together when unpacked; what a phone
    /// writes has some thirty times.
    package static let mostUnpacking: Int64 = 200

    /// Calls `body` with the SHA-256 of each member that is not read otherwise; nil for a damaged one, and in a zip for what
    /// goes beyond `mostUnpacking`.
    ///
    /// - Parameter isCancelled: asked after each buffer; true ends the hashing.
    /// - Returns: how many were not hashed because they go beyond `mostUnpacking`.
    package func run(isCancelled: () -> Bool, _ body: (ContainerFile, Digest256?) -> Void) -> Int {
        let zip = zip.map { UnsafeZipFile(path: $0) }
        let buffer = ByteBuffer(capacity: 1 << 18)
        var left = unpackedLimit
        var unhashed = 0
        for member in members {
            var hash = SHA256()
            var digest: Digest256?
            buffer.removeAll()
            let source = left > 0 ? try? ExportContainer.open(member.place, in: zip) : nil
            while let source, let got = try? source.read(into: buffer, upTo: 1 << 18) {
                if isCancelled() { return unhashed }
                left -= Int64(got)
                if left <= 0 { break }
                if got == 0 {
                    digest = hash.finalize()
                    break
                }
                hash.update(buffer.view)
                buffer.removeAll()
            }
            if left <= 0 { unhashed += 1 }
            body(member, digest)
        }
        return unhashed
    }
}
