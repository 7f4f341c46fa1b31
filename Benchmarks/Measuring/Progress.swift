internal import Foundation

/// Lines on standard error about what is being done.
enum Progress {
    static func say(_ text: String) {
        FileHandle.standardError.write(Data("\(ISO8601DateFormatter().string(from: Date())) \(text)\n".utf8))
    }
}
