internal import ExportReading
internal import Foundation

/// A file beside exports and archives that a command is given to read.
enum InputFile {
    /// - Throws: `noSuchInput` where nothing is there.
    static func require(_ path: String, hint: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw ExportReadingError(.noSuchInput, "There is no file at \(path).", hint: hint)
        }
    }

    /// - Throws: `noSuchInput` where nothing is there, `inputOutput` where it is a folder or cannot be read.
    static func requireReadable(_ path: String, hint: String) throws {
        try require(path, hint: hint)
        var isFolder: ObjCBool = false
        let files = FileManager.default
        guard files.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            files.isReadableFile(atPath: path)
        else {
            throw ExportReadingError(.inputOutput, "What is at \(path) cannot be read as a file.", hint: hint)
        }
    }
}
