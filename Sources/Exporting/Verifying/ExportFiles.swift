internal import Basics
internal import ExportReading
internal import Foundation

/// The files of an export that is verified: those of a folder, or of a zip.
protocol ExportFiles: AnyObject {
    /// The paths of all files.
    ///
    /// - Throws: `VerificationFailure` for what is neither a file nor a folder, `inputOutput`.
    func paths() throws -> [String]
    /// A stream of a file.
    ///
    /// - Throws: `VerificationFailure` where there is no such regular file; `inputOutput`.
    func open(_ path: String) throws -> any ByteSource
    /// Whether there is something at a path.
    func has(_ path: String) -> Bool
}

extension ExportFiles {
    /// A small text file.
    ///
    /// - Parameter limit: in bytes.
    /// - Throws: `VerificationFailure`, `inputOutput`.
    func text(_ path: String, limit: Int = 16 << 20) throws -> String {
        let source = try open(path)
        let bytes = ByteBuffer(capacity: 1 << 16)
        while try source.read(into: bytes, upTo: 1 << 16) > 0 {
            guard bytes.count <= limit else { throw VerificationFailure("is too large", file: path) }
        }
        guard let text = String(validating: bytes.view, as: UTF8.self) else {
            throw VerificationFailure("is not UTF-8", file: path)
        }
        return text
    }
}

/// The files of a zip, or of the one folder in it that is the export.
final class ZippedFiles: ExportFiles {
    /// What is before the paths of the export's files: nothing, or a folder and a slash.
    private let prefix: String
    private let zip: WholeZip

    /// - Throws: `VerificationFailure` where the zip cannot be read to its end, or names a path outside of it;
    ///   `inputOutput`.
    static func open(_ path: String) throws -> WholeZip {
        do {
            let zip = try WholeZip(path)
            if let name = zip.names.first(where: { !BagLayout.isSafe($0) }) {
                throw VerificationFailure("is outside of the zip, or not in its shortest form", file: name)
            }
            return zip
        } catch let refusal as WholeZip.Refusal {
            throw VerificationFailure(refusal.reason)
        }
    }

    init(_ zip: WholeZip, prefix: String = "") {
        self.zip = zip
        self.prefix = prefix
    }

    /// The bag in a zip: where `bagit.txt` or a manifest is, at most one folder deep; nil where there is none.
    convenience init?(bagIn zip: WholeZip) {
        let prefixes = zip.names.compactMap { name -> String? in
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let last = parts.last, ["bagit.txt", Bag.manifest].contains(String(last)) else {
                return nil
            }
            return parts.count == 2 ? "\(parts[0])/" : ""
        }
        guard let prefix = prefixes.min() else { return nil }
        self.init(zip, prefix: prefix)
    }

    func paths() throws -> [String] {
        try zip.names.map { name in
            guard name.hasPrefix(prefix) else {
                throw VerificationFailure("is outside of the export's folder", file: name)
            }
            return String(name.dropFirst(prefix.count))
        }
    }

    func open(_ path: String) throws -> any ByteSource {
        let source = try refusing(path) { try zip.open(prefix + path) }
        guard let source else { throw VerificationFailure.missing(path) }
        return Member(source, path, self)
    }

    func has(_ path: String) -> Bool { zip.names.contains(prefix + path) }

    /// Names the file of a refusal.
    private func refusing<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let refusal as WholeZip.Refusal {
            throw VerificationFailure(refusal.reason, file: path)
        }
    }

    private final class Member: ByteSource {
        let expectedByteCount: Int64?
        private let source: any ByteSource
        private let path: String
        private let files: ZippedFiles

        init(_ source: any ByteSource, _ path: String, _ files: ZippedFiles) {
            self.source = source
            self.path = path
            self.files = files
            expectedByteCount = source.expectedByteCount
        }

        func read(into buffer: ByteBuffer, upTo limit: Int) throws -> Int {
            try files.refusing(path) { try source.read(into: buffer, upTo: limit) }
        }
    }
}
