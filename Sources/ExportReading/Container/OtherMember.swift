internal import Foundation
package import HealthModel

/// A file of a container that the program does not read, such as the CDA file.
package struct OtherMember: Sendable {
    /// Its name in the container.
    package var path: String
    package var byteCount: Int64
    var place: SideFile.Place
}

extension ExportContainer {
    /// What is before the paths of side files: the folder of the main XML.
    package var memberPrefix: String {
        guard form != .xml else { return "" }
        let root = (mainName as NSString).deletingLastPathComponent
        return root.isEmpty ? "" : root + "/"
    }

    /// How often its own length the files of a zip that are not read otherwise may have together when unpacked; what a phone
    /// writes has some thirty times.
    package static let mostUnpacking: Int64 = 200

    /// Calls `body` with the SHA-256 of each member that is not read otherwise; nil for a damaged one, and in a zip for what
    /// goes beyond `mostUnpacking`.
    ///
    /// Opens the container again, so that it may run beside other readings.
    ///
    /// - Parameter isCancelled: asked after each buffer; true ends the hashing.
    /// - Returns: how many were not hashed because they go beyond `mostUnpacking`.
    package func hashOtherMembers(isCancelled: () -> Bool, _ body: (OtherMember, Digest256?) -> Void) -> Int {
        let zip = newZip
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var left = form == .zip ? byteCount * Self.mostUnpacking : .max
        var unhashed = 0
        for member in otherMembers {
            var hash = SHA256()
            var digest: Digest256?
            let source = left > 0 ? try? Self.open(member.place, in: zip) : nil
            while let source, let got = try? source.read(into: buffer) {
                if isCancelled() { return unhashed }
                left -= Int64(got)
                if left <= 0 { break }
                if got == 0 {
                    digest = hash.finalize()
                    break
                }
                hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            }
            if left <= 0 { unhashed += 1 }
            body(member, digest)
        }
        return unhashed
    }
}
