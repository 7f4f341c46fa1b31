internal import Basics
internal import Foundation

/// Where an archive is, whatever name leads to it.
package enum ArchivePath {
    /// The absolute path of the file that a path leads to through symbolic links; the file need not be there yet.
    ///
    /// - Returns: nil where links lead nowhere: in a circle, or into a folder that is not there.
    package static func resolved(_ given: String) -> String? {
        var path = URL(fileURLWithPath: given).path
        // As many links as Linux follows.
        for step in 0...40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                guard let folder = realPath(Folders.containing(path)) else { return step == 0 ? path : nil }
                return (folder as NSString).appendingPathComponent((path as NSString).lastPathComponent)
            }
            path = target.hasPrefix("/") ? target : Folders.containing(path) + "/" + target
        }
        return nil
    }

    /// As `resolved`, for who only reads: a path that leads nowhere stays as it is, and nothing is found at it.
    package static func ofReader(_ given: String) -> String { resolved(given) ?? URL(fileURLWithPath: given).path }
}
