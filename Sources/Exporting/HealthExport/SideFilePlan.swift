internal import Basics
internal import ExportReading
internal import Foundation
internal import HealthModel
internal import Questions
internal import Store
internal import Training

/// The side files of a zip, decided before its first byte is written.
///
/// All that the observation's own export had, except ECGs, which are items and are there only where they are chosen; then
/// what chosen items need beside that: routes, ECGs and clinical records kept from earlier exports.
struct SideFilePlan {
    /// A side file: where it is in the zip, and which stored file it is.
    struct Entry {
        /// Relative to the export's folder.
        var path: String
        var fileID: Int64
        /// Nil where the file is written with another header than it was stored with.
        var byteCount: Int64?
    }

    private(set) var entries: [Entry] = []
    private(set) var routeFiles = RouteFiles()
    /// Chosen items whose file the archive does not have, by kind.
    private(set) var missing: [SideFileKind: Int] = [:]
    /// Files of the observation's own export that the provenance profile leaves out, by kind.
    private(set) var leftOut: [SideFileKind: Int] = [:]
    /// How many files have another name because their own cannot be used.
    private(set) var renamed = 0
    /// The paths in the zip in lower case: not every file system tells capitals from small letters.
    private var taken: Set<String> = []
    /// The paths that exports gave the files that are in the zip.
    private var placed: Set<String> = []
    private var electrocardiograms = 0
    private let reduced: ReducedForm?
    /// Whether dates are moved: what is in documents of other formats cannot be, nor a date of birth in words.
    private let movesDates: Bool
    private let stored: StoredSideFiles
    private let lookup: ExportLookup
    private let own: [StoredSideFiles.File]
    private let history: [Int64]

    /// - Parameters:
    ///   - history: the ids of the chain's observations up to the one asked of, which is the last.
    ///   - isWhole: whether the whole state is written, so that files without an item belong to it too.
    ///   - sharing: what makes a copy to share of the export; nil for none.
    ///   - reduced: what becomes of names; it learns the paths of clinical records. Nil where they stay.
    init(
        _ db: ArchiveDatabase, _ set: RecordSet, history: [Int64], isWhole: Bool, reduced: ReducedForm?,
        sharing: SharedCopy?
    ) throws {
        stored = try StoredSideFiles(db, history: history)
        lookup = ExportLookup(db)
        self.history = history
        self.reduced = reduced
        movesDates = sharing?.movesDates ?? false
        own = try StoredSideFiles.files(db, of: history.last ?? 0)
        for file in own where isWhole {
            guard let kind = file.kind, kind != .electrocardiogram else { continue }
            if keeps(kind) { add(file, as: name(of: file)) } else { leftOut[kind, default: 0] += 1 }
        }
        if keeps(.workoutRoute) { try addTracks(db, set) }
        try addElectrocardiograms(db, set)
        if keeps(.clinicalRecord) { try addClinicalRecords(db, set) }
        entries.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Calls `body` with the bytes of a file as they are in the zip, in parts of about a mebibyte.
    ///
    /// - Throws: `integrityFailure` where the stored bytes are damaged.
    func read(_ entry: Entry, _ body: (Data) throws -> Void) throws {
        guard entry.byteCount == nil else { return try stored.read(entry.fileID, body) }
        var bytes: [UInt8] = []
        try stored.read(entry.fileID) { bytes.append(contentsOf: $0) }
        let shown = ElectrocardiogramFile.rewritten(bytes) { fields in
            reduced?.attributes(fields, of: nil) ?? fields.filter { $0.name != "dateOfBirth" }
        }
        guard let shown else {
            throw HealthProbeError(.integrityFailure, "A stored ECG cannot be read.", hint: "Run healthprobe check.")
        }
        try body(Data(shown))
    }

    private func keeps(_ kind: SideFileKind) -> Bool {
        if movesDates, [.clinicalRecord, .attachment].contains(kind) { return false }
        guard let reduced else { return true }
        return switch kind {
        case .electrocardiogram: true
        case .workoutRoute: reduced.keeps(.routes)
        case .clinicalRecord, .attachment: reduced.keeps(.clinical)
        }
    }

    private func name(of file: StoredSideFiles.File) -> String {
        reduced == nil ? file.path : SideFileNaming.path(of: file)
    }

    /// Whether a path can be unpacked everywhere, stays inside the folder it is unpacked to and prints as what it is.
    static func isSafe(_ path: String) -> Bool {
        path.utf8.count <= 1024 && !path.unicodeScalars.contains(where: isUnprintable)
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy(isName)
    }

    /// Whether a file can have this name everywhere: Windows keeps some characters and names for itself, and drops a
    /// point or space at the end.
    private static func isName(_ name: Substring) -> Bool {
        guard let last = name.utf8.last, last != UInt8(ascii: "."), last != .space, name.utf8.count <= 255 else {
            return false
        }
        return !name.utf8.contains { reserved.contains($0) }
            && !devices.contains(name.prefix { $0 != "." }.uppercased().trimmingCharacters(in: .whitespaces))
    }

    private static let reserved = Set("\\<>:\"|?*".utf8)
    private static let devices = Set(
        ["CON", "PRN", "AUX", "NUL"] + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] })

    private func isTaken(_ path: String) -> Bool { taken.contains(path.lowercased()) }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The path asked for where it can be used, else one made of the file's content, numbered where several have it.
    private func usable(_ asked: String, for file: StoredSideFiles.File) -> String {
        if Self.isSafe(asked), !isTaken(asked) { return asked }
        var path = SideFileNaming.path(of: file)
        var number = 1
        while isTaken(path) {
            number += 1
            path = SideFileNaming.path(of: file, number: number)
        }
        return path
    }

    private mutating func add(_ file: StoredSideFiles.File, as asked: String) {
        let path = usable(asked, for: file)
        let kind = SideFileKind.of(path)
        if kind == .clinicalRecord { reduced?.clinicalPaths[file.path] = path }
        if reduced == nil, path != asked { renamed += 1 }
        placed.insert(file.path)
        taken.insert(path.lowercased())
        let isRewritten = (reduced != nil || movesDates) && kind == .electrocardiogram
        entries.append(
            Entry(path: path, fileID: file.id, byteCount: isRewritten ? nil : file.byteCount))
        if kind == .workoutRoute { routeFiles.add(file.id, at: path) }
    }

    private func scan(_ db: ArchiveDatabase, _ set: RecordSet, _ filter: TypeFilter) throws -> VersionCursor? {
        let types = try lookup.types(filter)
        return types.isEmpty ? nil : try VersionCursor(db, set.along(types: types))
    }

    private mutating func addTracks(_ db: ArchiveDatabase, _ set: RecordSet) throws {
        let links = try RouteLinks(db, set, history: history).links
        guard !links.isEmpty, let scan = try scan(db, set, TypeFilter([SampleType.workoutRoute])) else { return }
        while try scan.next() {
            guard let id = links[scan.rowID]?.file, !routeFiles.has(id) else { continue }
            guard let file = try stored.file(id) else {
                missing[.workoutRoute, default: 0] += 1
                continue
            }
            let printed = PrintedParts(try scan.volatileFields.flatMap { JSON.parse($0) })
            let path =
                reduced == nil ? printed.itemPath.map(SideFile.relative) ?? "" : RouteFiles.name(of: file.content)
            let isFree =
                Self.isSafe(path) && !isTaken(path) && path.hasPrefix(SideFileKind.workoutRoute.folder + "/")
            add(file, as: isFree ? path : RouteFiles.name(of: file.content))
        }
    }

    private mutating func addElectrocardiograms(_ db: ArchiveDatabase, _ set: RecordSet) throws {
        guard let scan = try scan(db, set, TypeFilter([SampleType.electrocardiogram])) else { return }
        while try scan.next() {
            guard try scan.kind == .electrocardiogram else { continue }
            guard let file = try Electrocardiogram.file(of: scan, in: stored) else {
                missing[.electrocardiogram, default: 0] += 1
                continue
            }
            if reduced != nil {
                electrocardiograms += 1
                // Its content has names in it, so not even their hash is printed.
                add(file, as: SideFileNaming.path(.electrocardiogram, "\(electrocardiograms)"))
                continue
            }
            let paths = (own.filter { $0.id == file.id } + [file]).map(\.path)
            let free = paths.first { Self.isSafe($0) && !isTaken($0) }
            let name = "\(SideFileNaming.digits(try scan.identity))_\(scan.rowID)"
            add(file, as: free ?? SideFileNaming.path(.electrocardiogram, name))
        }
    }

    private mutating func addClinicalRecords(_ db: ArchiveDatabase, _ set: RecordSet) throws {
        guard let scan = try scan(db, set, TypeFilter([SampleType.clinicalPrefix + "*"])) else { return }
        while try scan.next() {
            guard let item = try scan.item, item.kind == .clinicalRecord, let stated = item.resourceFilePath else {
                continue
            }
            let path = SideFile.relative(stated)
            if placed.contains(path) || reduced?.clinicalPaths[path] != nil { continue }
            if let file = try stored.file(ofSample: scan.sampleID, path: path) {
                add(file, as: name(of: file))
            } else {
                missing[.clinicalRecord, default: 0] += 1
            }
        }
    }
}
