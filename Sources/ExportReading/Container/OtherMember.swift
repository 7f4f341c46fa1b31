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

    /// SHA-256 of a member that is not read otherwise; nil where it is damaged.
    ///
    /// Opens the container anew, so that it may run beside other readings.
    package func digest(of member: OtherMember) -> Digest256? {
        guard let source = try? openAlone(member.place) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var hash = StreamingSHA256()
        while true {
            guard let got = try? source.read(into: buffer) else { return nil }
            if got == 0 { return hash.finalize() }
            hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        }
    }
}
