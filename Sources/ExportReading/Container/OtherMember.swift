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
    /// What stands before the paths of side files: the folder of the main XML.
    package var memberPrefix: String {
        guard form != .xml else { return "" }
        let root = (mainName as NSString).deletingLastPathComponent
        return root.isEmpty ? "" : root + "/"
    }

    /// SHA-256 of each member that is not read otherwise; nil for a damaged one.
    ///
    /// Opens the container anew, so that it may run beside other readings.
    package func digestsOfOtherMembers() -> [(member: OtherMember, sha256: Digest256?)] {
        let zip = form == .zip ? try? UnsafeZipFile(path: path) : nil
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        return otherMembers.map { member in
            guard let source = try? Self.open(member.place, in: zip) else { return (member, nil) }
            var hash = SHA256()
            while true {
                guard let got = try? source.read(into: buffer) else { return (member, nil) }
                if got == 0 { return (member, hash.finalize()) }
                hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            }
        }
    }
}
