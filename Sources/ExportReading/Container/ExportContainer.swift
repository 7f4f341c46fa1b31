package import Basics
internal import Foundation
package import HealthModel

/// Where an export is: a zip, an unpacked folder or a bare XML file, with its main XML found by content.
package final class ExportContainer {
    package enum Form: String, Sendable {
        case zip
        case folder
        case xml
    }

    package let path: String
    package let form: Form
    /// What the export's file is called.
    package let name: String
    /// The main XML: the member's name in a zip, the relative path in a folder, the file name otherwise.
    package let mainName: String
    /// The main XML's length as the container states it.
    package let mainByteCount: Int64
    /// The length of the zip or the XML file.
    package let byteCount: Int64
    /// Whether the zip has no end record: it was cut off, and files that came behind the cut are not known.
    package let isCut: Bool
    /// When the file was last modified; of a folder, its main XML.
    private let modified: Date
    package private(set) var sideFiles: [SideFile] = []
    /// What the program does not read, such as the CDA file.
    package private(set) var otherMembers: [ContainerFile] = []
    private let mainPlace: SideFile.Place
    private let repeatedNames: [(name: String, kept: [String])]
    /// What the files that are read were when the container was opened, by path.
    private var stamps: [String: FileStamp] = [:]
    private let zip: UnsafeZipFile?
    /// Whether the system is known to read the container to its end.
    private var isReadable = false
    private var knownDigests: (container: Digest256?, main: Digest256?)
    private var mainDamage: DamagedSource?

    /// Finds the main XML and the side files.
    ///
    /// - Parameter name: what the file is called, where its path does not say it.
    /// - Throws: `HealthProbeError` where there is no export, more than one, or an encrypted one.
    package init(path: String, name: String? = nil) throws {
        self.path = path
        self.name = name ?? (path as NSString).lastPathComponent
        let attributes = try? FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
        // A link is left here only where it leads nowhere.
        guard let attributes, let type = attributes[.type] as? FileAttributeType, type != .typeSymbolicLink else {
            throw HealthProbeError(
                .noSuchInput, "There is no such file or folder.",
                hint: path.unicodeScalars.contains("\u{FFFD}")
                    ? "The name is not UTF-8, which this program cannot open; rename the file."
                    : "Check the path: \(path)")
        }
        guard type == .typeDirectory || type == .typeRegular else {
            throw HealthProbeError(
                .noSuchInput, "The path is neither a regular file nor a folder: it cannot be read twice.",
                hint: "Write it to a file and import that instead of \(path).")
        }
        if type == .typeRegular, (attributes[.size] as? NSNumber)?.int64Value == 0 {
            throw HealthProbeError(
                .notAHealthExport, "The file is empty.",
                hint: "Copy it again from the phone; the first copy did not finish.")
        }
        if type == .typeRegular { stamps[path] = FileStamp(path) }
        let listing: MainXMLSearch.Listing
        let main: ContainerFile
        if type == .typeDirectory {
            form = .folder
            zip = nil
            listing = MainXMLSearch.list(folder: (path as NSString).resolvingSymlinksInPath)
            main = try MainXMLSearch.choose(listing, zip: nil)
        } else if try Self.isZip(path) {
            form = .zip
            zip = UnsafeZipFile(path: path)
            listing = try MainXMLSearch.list(zip: path)
            main = try MainXMLSearch.choose(listing, zip: zip)
        } else {
            form = .xml
            zip = nil
            let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
            main = ContainerFile(name: self.name, byteCount: size, place: .file(path))
            listing = MainXMLSearch.Listing(files: [main])
        }
        var dated = attributes
        // A folder's own time changes with whatever is put there.
        if form == .folder, case .file(let file) = main.place {
            dated = (try? FileManager.default.attributesOfItem(atPath: file)) ?? attributes
        }
        modified = dated[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
        isCut = listing.isCut
        repeatedNames = listing.repeated
        mainName = main.name
        mainByteCount = main.byteCount
        mainPlace = main.place
        byteCount = form == .zip ? (attributes[.size] as? NSNumber)?.int64Value ?? 0 : main.byteCount
        if form != .xml {
            let prefix = memberPrefix
            sideFiles = listing.files.compactMap { candidate in
                guard candidate.name.hasPrefix(prefix) else { return nil }
                let relative = String(candidate.name.dropFirst(prefix.count))
                return SideFileKind.of(relative).map {
                    SideFile(kind: $0, path: relative, byteCount: candidate.byteCount, place: candidate.place)
                }
            }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            let read = Set(sideFiles.map { prefix + $0.path } + [main.name])
            otherMembers = listing.files.filter { !read.contains($0.name) }
        }
        for place in [main.place] + sideFiles.map(\.place) {
            if form == .folder, case .file(let file) = place { stamps[file] = FileStamp(file) }
        }
    }

    /// Tests that the bytes that were hashed are those that were read: each file is still what it was when the container was
    /// opened.
    ///
    /// - Throws: `sourceChanged`.
    package func requireUnchanged() throws {
        for (path, stamp) in stamps where FileStamp(path) != stamp { throw HealthProbeError.changedWhileRead }
    }

    /// The kinds of side files of which all are there, as far as the container shows: a cut one shows that of none.
    package var completeKinds: Set<SideFileKind> { isCut ? [] : Set(sideFiles.map(\.kind)) }

    /// The kinds of which samples are made and of which files are absent, or may be.
    package var missingFolders: Set<SideFileKind> { SideFileKind.ofSamples.subtracting(completeKinds) }

    /// What is to be said of the container beside what is in it.
    package var warnings: [String] { cutWarning + repeatedWarnings + unplacedWarning }

    private var repeatedWarnings: [String] {
        repeatedNames.prefix(Self.mostNamed).map { name, kept in
            "The zip has \(name) \(kept.count + 1) times: references use the last of them, as unpacking would leave it; the "
                + "\(kept.count == 1 ? "other is" : "others are") kept as \(kept.prefix(Self.mostNamed).joined(separator: ", "))."
        }
            + (repeatedNames.count > Self.mostNamed
                ? ["\(repeatedNames.count - Self.mostNamed) more names are in the zip several times."] : [])
    }

    private static let mostNamed = 10

    /// Files that look like side files but are not where an export has them.
    private var unplacedWarning: [String] {
        let folders = Set(SideFileKind.allCases.map(\.folder))
        let unplaced = otherMembers.map(\.name).filter { name in
            let parts = name.lowercased().split(separator: "/")
            return parts.dropLast().contains { folders.contains(String($0)) } || parts.last?.hasSuffix(".gpx") == true
        }
        guard !unplaced.isEmpty else { return [] }
        let named = unplaced.prefix(Self.mostNamed).joined(separator: ", ")
        return [
            "\(unplaced.count == 1 ? "A file is" : "\(unplaced.count) files are") not in the folders beside the main XML, where "
                + "exports have routes and the like, and not stored: \(named)\(unplaced.count > Self.mostNamed ? ", …" : "")."
        ]
    }

    private var cutWarning: [String] {
        guard isCut else { return [] }
        let hasElectrocardiograms = sideFiles.contains { ElectrocardiogramFile.isOne($0.path) }
        return [
            "The zip has no end record, as if it was cut off: files after its end are unknown"
                + (hasElectrocardiograms ? ", and its ECGs become records only when the whole zip is imported." : ".")
        ]
    }

    /// When the file was last modified, in Unix seconds; a file system may give any number, an export has years 0000 to 9999.
    package var modifiedSeconds: Int64 {
        Int64(max(-62_167_219_200, min(253_402_300_799, modified.timeIntervalSince1970)))
    }

    /// A stream of the main XML with its own view of the container, for use on another thread.
    func openMain() throws -> any ByteSource {
        try Self.open(mainPlace, in: zip == nil ? nil : UnsafeZipFile(path: path))
    }

    /// Calls `body` with the bytes of a side file, piece by piece.
    ///
    /// - Throws: `DamagedSource` where the container is broken at this file; `inputOutput` where the system cannot read it,
    ///   which says nothing of what is in it.
    package func read(_ file: SideFile, _ body: (ByteView) throws -> Void) throws {
        do {
            try read(try Self.open(file.place, in: zip), body)
        } catch let damage as DamagedSource {
            throw damage.isReadError ? damage.inputOutput : damage
        }
    }

    /// Whether a side file can be read to its end.
    ///
    /// - Throws: `inputOutput` where the system cannot read it, and what `body` throws.
    package func isWhole(_ file: SideFile, _ body: (ByteView) throws -> Void = { _ in }) throws -> Bool {
        do {
            try read(file, body)
            return true
        } catch is DamagedSource {
            return false
        }
    }

    /// Reads the container to its end once.
    ///
    /// - Throws: `inputOutput` where the system cannot read it.
    package func requireReadable() throws {
        guard form != .folder, !isReadable else { return }
        do {
            try read(try FileByteSource(path: path)) { _ in }
        } catch let damage as DamagedSource {
            throw damage.inputOutput
        }
        isReadable = true
    }

    private func read(_ source: any ByteSource, _ body: (ByteView) throws -> Void) throws {
        let buffer = ByteBuffer(capacity: 1 << 17)
        while try source.read(into: buffer, upTo: 1 << 17) > 0 {
            try body(buffer.view)
            buffer.removeAll()
        }
    }

    /// SHA-256 of the zip as it was when it was first asked for; nil where there is none.
    package func containerDigest() throws -> Digest256? {
        guard form == .zip else { return nil }
        if let known = knownDigests.container { return known }
        var hash = SHA256()
        try read(try FileByteSource(path: path)) { hash.update($0) }
        let digest = hash.finalize()
        knownDigests.container = digest
        return digest
    }

    /// SHA-256 of the main XML as far as its container has it, when it was first asked for.
    ///
    /// - Throws: `inputOutput` where the system cannot read it.
    package func mainDigest() throws -> Digest256 {
        if let known = knownDigests.main { return known }
        var chunker = TagChunker(source: try openMain(), readSize: 1 << 20)
        chunker.drain()
        if let damage = chunker.damage, damage.isReadError { throw damage.inputOutput }
        (knownDigests.main, mainDamage) = (chunker.digest, chunker.damage)
        return chunker.digest
    }

    /// Whether the container has all of the main XML, as far as it states its length and checksum.
    ///
    /// - Throws: `inputOutput` where the system cannot read it.
    package func hasWholeMain() throws -> Bool {
        _ = try mainDigest()
        return mainDamage == nil
    }

    /// Whether a document ended for this reason because of its container, whatever is in the document.
    package static func isDamage(_ stoppedReason: String) -> Bool {
        stoppedReason.hasPrefix("zip") || ["crcMismatch", "byteCountMismatch"].contains(stoppedReason)
    }

    /// A stream of a place of a container; `zip` is the container's, where it is one.
    static func open(_ place: SideFile.Place, in zip: UnsafeZipFile?) throws -> any ByteSource {
        switch place {
        case .file(let path): return try FileByteSource(path: path)
        case .member(let member):
            guard let zip else { throw DamagedSource(reason: "zipMember") }
            return try zip.open(member)
        }
    }

    /// Whether a file begins as a zip does.
    ///
    /// - Throws: `noSuchInput`, `inputOutput`.
    package static func isZip(_ path: String) throws -> Bool {
        let source = try FileByteSource(path: path)
        let start = ByteBuffer(capacity: 4)
        do {
            _ = try source.read(into: start, upTo: 4)
        } catch let damage as DamagedSource {
            throw damage.inputOutput
        }
        return start.count == 4 && start[0] == 0x50 && start[1] == 0x4B && (start[2] == 3 || start[2] == 5)
    }
}
