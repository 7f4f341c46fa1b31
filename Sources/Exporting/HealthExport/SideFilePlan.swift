internal import Archive
internal import ExportReading
internal import GRDB
internal import HealthModel

/// The side files of a zip, decided before its first byte is written.
///
/// All that the observation's own export had, except ECGs, which are items and stand there only where they are chosen; then
/// what chosen items need beside that: tracks, ECGs and clinical records kept from earlier exports.
struct SideFilePlan {
    private(set) var entries: [SidePlanEntry] = []
    /// The canonical hashes of the tracks by path.
    private(set) var tracks: [String: Digest256] = [:]
    /// Chosen items whose file the archive does not have, by kind.
    private(set) var missing: [SideFile.Kind: Int] = [:]
    private var taken: Set<String> = []
    private let stored: StoredSideFiles
    private let lookup: ExportLookup
    private let own: [StoredSideFiles.File]

    /// - Parameters:
    ///   - isWhole: whether the whole state is written, so that files without an item belong to it too.
    init(_ db: Database, _ set: CopySet, observation: Int64, isWhole: Bool, kinds: Set<SideFile.Kind>) throws {
        stored = StoredSideFiles(db)
        lookup = ExportLookup(db)
        own = try stored.files(of: observation)
        // What a file is follows from its path: equal bytes, none for instance, are stored once whatever they are.
        for file in own where isWhole {
            guard let kind = SideFile.kind(of: file.path), kind != .electrocardiogram else { continue }
            if kinds.contains(kind) { add(file, as: file.path) }
        }
        if kinds.contains(.workoutRoute) { try addTracks(db, set) }
        if kinds.contains(.electrocardiogram) { try addElectrocardiograms(db, set) }
        if kinds.contains(.clinicalRecord) { try addClinicalRecords(db, set) }
        entries.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Whether a path can be unpacked everywhere, stays inside the folder it is unpacked to and prints as what it is.
    static func isSafe(_ path: String) -> Bool {
        path.utf8.count <= 1024 && !path.unicodeScalars.contains { isUnprintable($0) || $0 == "\\" }
            && !path.split(separator: "/", omittingEmptySubsequences: false).contains {
                $0 == ".." || $0 == "." || $0.isEmpty || $0.utf8.count > 255
            }
    }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private mutating func add(_ file: StoredSideFiles.File, as path: String) {
        guard Self.isSafe(path), taken.insert(path).inserted else { return }
        entries.append(SidePlanEntry(path: path, fileID: file.id, byteCount: file.byteCount))
        if SideFile.kind(of: path) == .workoutRoute { tracks[path] = file.content }
    }

    private func scan(_ db: Database, _ set: CopySet, _ filter: TypeFilter) throws -> CopyScan? {
        let types = try lookup.types(filter)
        return types.isEmpty ? nil : try CopyScan(db, set.along(types: types))
    }

    private mutating func addTracks(_ db: Database, _ set: CopySet) throws {
        guard let scan = try scan(db, set, TypeFilter([SampleType.workoutRoute])) else { return }
        while try scan.next() {
            guard scan.trackless != nil, let extras = scan.extras.flatMap({ CanonicalJSON.parse($0) }),
                let track = extras["track"]?.string.flatMap({ Digest256(hex: $0) })
            else { continue }
            let printed = PrintedParts(scan.unversioned.flatMap { CanonicalJSON.parse($0) })
            let path = printed.itemPath.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 } ?? ""
            if tracks[path] == track { continue }
            guard let file = try stored.file(content: track) else {
                missing[.workoutRoute, default: 0] += 1
                continue
            }
            let isFree =
                Self.isSafe(path) && !taken.contains(path) && path.hasPrefix(SideFile.Kind.workoutRoute.folder + "/")
            add(file, as: isFree ? path : RouteFiles.name(of: track))
        }
    }

    private mutating func addElectrocardiograms(_ db: Database, _ set: CopySet) throws {
        guard let scan = try scan(db, set, TypeFilter([SampleType.electrocardiogram])) else { return }
        while try scan.next() {
            guard let file = try electrocardiogram(scan) else {
                missing[.electrocardiogram, default: 0] += 1
                continue
            }
            let paths = (own.filter { $0.id == file.id } + [file]).map(\.path)
            let free = paths.first { Self.isSafe($0) && !taken.contains($0) }
            let derived = "electrocardiograms/ecg_\(scan.identity.hex.prefix(16))_\(scan.copyID).csv"
            add(file, as: free ?? derived)
        }
    }

    /// The stored file that reads as this very item.
    private func electrocardiogram(_ scan: CopyScan) throws -> StoredSideFiles.File? {
        for file in try stored.files(ofSample: scan.sampleID) {
            var bytes: [UInt8] = []
            guard file.byteCount <= ElectrocardiogramReader.maximumBytes else { continue }
            try stored.read(file.id) { bytes.append(contentsOf: $0) }
            if let hashes = ElectrocardiogramHashes.of(bytes), hashes.version == scan.version { return file }
        }
        return nil
    }

    private mutating func addClinicalRecords(_ db: Database, _ set: CopySet) throws {
        guard let scan = try scan(db, set, TypeFilter([SampleType.clinicalPrefix + "*"])) else { return }
        while try scan.next() {
            let attributes = scan.extras.flatMap { CanonicalJSON.parse($0) }?["attributes"]
            guard let stated = attributes?["resourceFilePath"]?.string else { continue }
            let path = stated.hasPrefix("/") ? String(stated.dropFirst()) : stated
            if taken.contains(path) { continue }
            if let file = try (own + stored.files(ofSample: scan.sampleID)).first(where: { $0.path == path }) {
                add(file, as: path)
            } else {
                missing[.clinicalRecord, default: 0] += 1
            }
        }
    }
}
