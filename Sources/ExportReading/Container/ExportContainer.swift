package import Foundation
package import HealthModel

/// Where an export lies: a zip, an unpacked folder or a bare XML file, with its main XML found by content.
package final class ExportContainer {
    package enum Form: String, Sendable {
        case zip
        case folder
        case xml
    }

    package let path: String
    package let form: Form
    /// The file name of what was given.
    package let name: String
    /// The main XML: the member's name in a zip, the relative path in a folder, the file name otherwise.
    package let mainName: String
    /// The main XML's length as the container states it.
    package let mainByteCount: Int64
    /// The length of the zip or the XML file.
    package let byteCount: Int64
    /// When the file was last modified.
    package let modified: Date
    package private(set) var sideFiles: [SideFile] = []
    /// What the program does not read, by its name in the container.
    package private(set) var otherMembers: [OtherMember] = []
    private let mainPlace: SideFile.Place
    /// Opened when a member is first asked for.
    private var zip: UnsafeZipFile?
    /// Whether the system is known to read the container to its end.
    private var isReadable = false

    /// Finds the main XML and the side files.
    ///
    /// - Throws: `ExportReadingError` where there is no export, more than one, or an encrypted one.
    package init(path: String) throws {
        self.path = path
        name = (path as NSString).lastPathComponent
        let attributes = try? FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
        // A link is left here only where it leads nowhere.
        guard let attributes, let type = attributes[.type] as? FileAttributeType, type != .typeSymbolicLink else {
            throw ExportReadingError(
                .noSuchInput, "There is no file or folder at this path.", hint: "Check the path: \(path)")
        }
        guard type == .typeDirectory || type == .typeRegular else {
            throw ExportReadingError(
                .noSuchInput, "What is at this path is neither a regular file nor a folder: it cannot be read twice.",
                hint: "Write it into a file and name that instead of \(path).")
        }
        modified = attributes[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
        let candidates: [Candidate]
        if type == .typeDirectory {
            form = .folder
            candidates = try Self.candidates(inFolder: (path as NSString).resolvingSymlinksInPath)
        } else if try Self.isZip(path) {
            form = .zip
            candidates = try Self.candidates(inZip: path)
        } else {
            form = .xml
            let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
            candidates = [Candidate(name: name, byteCount: size, place: .file(path))]
        }
        let main = try Self.choose(candidates, form: form, path: path)
        mainName = main.name
        mainByteCount = main.byteCount
        mainPlace = main.place
        byteCount = form == .zip ? (attributes[.size] as? NSNumber)?.int64Value ?? 0 : main.byteCount
        if form != .xml {
            let root = (main.name as NSString).deletingLastPathComponent
            let prefix = root.isEmpty ? "" : root + "/"
            sideFiles = candidates.compactMap { candidate in
                guard candidate.name.hasPrefix(prefix) else { return nil }
                let relative = String(candidate.name.dropFirst(prefix.count))
                return SideFile.kind(of: relative).map {
                    SideFile(kind: $0, path: relative, byteCount: candidate.byteCount, place: candidate.place)
                }
            }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            let read = Set(sideFiles.map { prefix + $0.path } + [main.name])
            otherMembers = candidates.filter { !read.contains($0.name) }
                .map { OtherMember(path: $0.name, byteCount: $0.byteCount, place: $0.place) }
        }
    }

    /// A stream of the main XML, independent of other streams.
    func openMain() throws -> any ByteSource {
        try openAlone(mainPlace)
    }

    /// A stream with its own view of the container, for use on another thread.
    func openAlone(_ place: SideFile.Place) throws -> any ByteSource {
        if case .member(let index) = place { return try Self.open(index, in: UnsafeZipFile(path: path)) }
        return try open(place)
    }

    /// Calls `body` with the bytes of a side file, piece by piece.
    ///
    /// - Throws: `DamagedSource` where the container is broken at this file; `inputOutput` where the system cannot read it,
    ///   which says nothing of what is in it.
    package func read(_ file: SideFile, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        do {
            try read(try open(file.place), body)
        } catch let damage as DamagedSource {
            if damage.isReadError { throw damage.inputOutput }
            if form == .zip { try requireReadable() }
            throw damage
        }
    }

    /// Reads the container to its end once: of a read that fails in the middle of a member libzip says that the file ended early.
    private func requireReadable() throws {
        guard !isReadable else { return }
        do {
            try read(try FileByteSource(path: path)) { _ in }
        } catch let damage as DamagedSource {
            throw damage.inputOutput
        }
        isReadable = true
    }

    private func read(_ source: any ByteSource, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let got = try source.read(into: buffer)
            if got == 0 { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        }
    }

    /// SHA-256 of the zip, or of the main XML where there is none.
    package func containerDigest() throws -> Digest256? {
        guard form == .zip else { return nil }
        var hash = StreamingSHA256()
        try read(try FileByteSource(path: path)) { hash.update($0) }
        return hash.finalize()
    }

    /// SHA-256 of the main XML as far as it can be read.
    package func mainDigest() throws -> Digest256 {
        var chunker = TagChunker(source: try openMain(), readSize: 1 << 20)
        chunker.drain()
        return chunker.digest
    }

    // MARK: - Finding

    private struct Candidate {
        var name: String
        var byteCount: Int64
        var place: SideFile.Place
    }

    private func open(_ place: SideFile.Place) throws -> any ByteSource {
        switch place {
        case .file(let path): return try FileByteSource(path: path)
        case .member(let index):
            let zip = try self.zip ?? UnsafeZipFile(path: path)
            self.zip = zip
            return try Self.open(index, in: zip)
        }
    }

    private static func open(_ index: UInt64, in zip: UnsafeZipFile) throws -> any ByteSource {
        guard let member = zip.members().first(where: { $0.index == index }) else {
            throw DamagedSource(reason: "zipMemberMissing")
        }
        return try zip.open(member)
    }

    private static func isZip(_ path: String) throws -> Bool {
        let source = try FileByteSource(path: path)
        var start = [UInt8](repeating: 0, count: 4)
        let got: Int
        do {
            got = try start.withUnsafeMutableBytes { try source.read(into: $0) }
        } catch let damage as DamagedSource {
            throw damage.inputOutput
        }
        return got == 4 && start[0] == 0x50 && start[1] == 0x4B && (start[2] == 3 || start[2] == 5)
    }

    private static func isPassedOver(_ name: String) -> Bool {
        let last = (name as NSString).lastPathComponent
        return name.hasPrefix("__MACOSX/") || name.contains("/__MACOSX/") || last.hasPrefix("._") || last == ".DS_Store"
    }

    private static func candidates(inZip path: String) throws -> [Candidate] {
        try UnsafeZipFile(path: path).members().filter { !isPassedOver($0.name) }.map { member in
            if member.isEncrypted {
                throw ExportReadingError(
                    .encrypted, "The zip archive is encrypted.",
                    hint: "Unpack it with its password first and give the folder.")
            }
            return Candidate(name: member.name, byteCount: member.byteCount, place: .member(member.index))
        }
    }

    private static func candidates(inFolder path: String) throws -> [Candidate] {
        guard let files = FileManager.default.enumerator(atPath: path) else { return [] }
        var found: [Candidate] = []
        for case let relative as String in files {
            guard files.fileAttributes?[.type] as? FileAttributeType == .typeRegular, !isPassedOver(relative) else {
                continue
            }
            if relative.components(separatedBy: "/").count > 4 { continue }
            let size = (files.fileAttributes?[.size] as? NSNumber)?.int64Value ?? 0
            found.append(
                Candidate(
                    name: relative, byteCount: size, place: .file((path as NSString).appendingPathComponent(relative))))
        }
        return found
    }

    private static func choose(_ candidates: [Candidate], form: Form, path: String) throws -> Candidate {
        let zip = form == .zip ? try UnsafeZipFile(path: path) : nil
        let mains = try candidates.filter { candidate in
            if form == .xml { return true }
            guard candidate.name.lowercased().hasSuffix(".xml") else { return false }
            let source: any ByteSource
            switch candidate.place {
            case .file(let path): source = try FileByteSource(path: path)
            case .member(let index):
                guard let zip else { return false }
                do {
                    source = try open(index, in: zip)
                } catch let damage as DamagedSource {
                    if damage.isReadError { throw damage.inputOutput }
                    return false
                }
            }
            return try startsAsExport(source)
        }
        guard let main = mains.first else {
            throw ExportReadingError(
                .notAHealthExport, "No Apple Health export was found in it.",
                hint: "The export's main XML contains <HealthData near its start, whatever its name is.")
        }
        if mains.count > 1 {
            throw ExportReadingError(
                .severalHealthExports,
                "There are several Apple Health exports in it: \(mains.map(\.name).sorted().joined(separator: ", ")).",
                hint: "Give the one you mean as a bare XML file or in a folder of its own.")
        }
        return main
    }

    /// Whether an XML of a Health export begins within the first 64 KiB.
    ///
    /// - Parameter atOnce: whether nothing but white space may stand before its first tag.
    static func startsAsExport(_ source: any ByteSource, atOnce: Bool = false) throws -> Bool {
        var start = [UInt8](repeating: 0, count: 1 << 16)
        var length = 0
        while length < start.count {
            let got: Int
            do {
                got = try start.withUnsafeMutableBytes {
                    try source.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[length...]))
                }
            } catch let damage as DamagedSource {
                if damage.isReadError { throw damage.inputOutput }
                break
            }
            if got == 0 { break }
            length += got
        }
        let text = String(decoding: start[..<length], as: UTF8.self)
        if atOnce, text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) != "<" { return false }
        let clinical = text.range(of: "<ClinicalDocument")
        guard let health = text.range(of: "<!DOCTYPE HealthData") ?? text.range(of: "<HealthData") else { return false }
        return clinical.map { health.lowerBound < $0.lowerBound } ?? true
    }
}
