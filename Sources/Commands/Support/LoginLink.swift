internal import Basics
internal import Foundation
internal import Store

/// The login link on its way to a browser: in a file that only its owner can read, because everybody on a computer can read
/// the command lines of all its programs.
struct LoginLink: Sendable {
    private let path: String

    /// - Parameter archive: the archive's path; the file is beside it where the system has no place for such files.
    init(archive: String, _ environment: [String: String]) {
        let place = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        path = "\(place ?? Folders.containing(archive))/open-\(getpid()).html"
    }

    /// Writes the file and opens it in the browser of the desktop.
    /// - Returns: false where there is none, or the file cannot be written.
    func open(_ url: String) -> Bool {
        let page = "<!DOCTYPE html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url=\(url)\">\n"
        // What a process of this number left long ago.
        remove()
        let file = Basics.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        let isWritten: Void? = try? handle.write(contentsOf: Data(page.utf8))
        guard isWritten != nil, let opener = Self.opener else { return false }
        let process = Process()
        process.executableURL = opener
        process.arguments = [URL(fileURLWithPath: path).absoluteString]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let isRunning: Void? = try? process.run()
        return isRunning != nil
    }

    /// Removes the file; the link in it is used once.
    func remove() { unlink(path) }

    private static var opener: URL? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let places = folders.map { URL(fileURLWithPath: "\($0)/xdg-open") }
        return places.first { access($0.path, X_OK) == 0 }
    }
}
