internal import ArgumentParser
internal import ExportReading
internal import Foundation

/// The value of an option that names something: nothing is named by an empty text.
enum NamedArgument {
    /// The value as it was given.
    ///
    /// - Throws: `ValidationError` where it is empty.
    static func read(_ text: String) throws -> String {
        guard !text.isEmpty else { throw ValidationError("The value is empty.") }
        return text
    }
}

/// The values of an option that takes several: repeated, or with commas between, or both.
enum ListArgument {
    /// The values, each once and in the order of their cases, so that one question has one name.
    ///
    /// - Throws: `ValidationError` for what is none of them.
    static func values<Value: RawRepresentable<String> & CaseIterable>(
        _ arguments: [String], option: String
    ) throws -> [Value] {
        let names = arguments.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        for name in names where Value(rawValue: name) == nil {
            let known = Value.allCases.map(\.rawValue)
            let list = known.dropLast().joined(separator: ", ") + " and " + (known.last ?? "")
            throw ValidationError("\(option) takes \(list), not \(name).")
        }
        return Value.allCases.filter { names.contains($0.rawValue) }
    }
}

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
