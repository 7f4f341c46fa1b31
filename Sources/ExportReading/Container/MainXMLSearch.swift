internal import Foundation

/// Finds the main XML among the files of a container by its content, because its name is localized.
enum MainXMLSearch {
    /// A file of the container.
    struct Candidate {
        var name: String
        var byteCount: Int64
        var place: SideFile.Place
        /// Whether it is compressed in a way that can be unpacked.
        var isReadable = true
    }

    /// How much of a file is looked at.
    private static let startBytes = 1 << 16

    /// The files of a zip, by one pass over its central directory.
    ///
    /// - Throws: `encrypted`.
    static func candidates(in zip: UnsafeZipFile) throws -> [Candidate] {
        try zip.members().filter { !isPassedOver($0.name) }.map { member in
            if member.isEncrypted {
                throw ExportReadingError(
                    .encrypted, "The zip archive is encrypted.",
                    hint: "Unpack it with its password first and give the folder.")
            }
            return Candidate(
                name: member.name, byteCount: member.byteCount,
                place: .member(member.index, byteCount: member.byteCount), isReadable: member.isReadable)
        }
    }

    /// The regular files of a folder, at most four levels deep.
    static func candidates(inFolder path: String) -> [Candidate] {
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

    /// The one that is a Health export's main XML.
    ///
    /// - Parameter zip: the container, where it is a zip.
    /// - Throws: `notAHealthExport` where there is none, `severalHealthExports`, `inputOutput`.
    static func choose(_ candidates: [Candidate], zip: UnsafeZipFile?) throws -> Candidate {
        let named = candidates.filter { $0.name.lowercased().hasSuffix(".xml") }
        let mains = try named.filter { candidate in
            do {
                guard candidate.isReadable else { return false }
                return startsAsExport(try start(candidate.place, zip))
            } catch let damage as DamagedSource {
                if damage.isReadError { throw damage.inputOutput }
                return false
            }
        }
        guard let main = mains.first else {
            if named.contains(where: { !$0.isReadable }) {
                throw ExportReadingError(
                    .notAHealthExport, "The XML in it is compressed in a way that is not supported.",
                    hint: "Unpack it and give the folder, or zip it again as Deflate, as the Health app does.")
            }
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

    private static func isPassedOver(_ name: String) -> Bool {
        let last = (name as NSString).lastPathComponent
        return name.hasPrefix("__MACOSX/") || name.contains("/__MACOSX/") || last.hasPrefix("._") || last == ".DS_Store"
    }

    /// The first bytes of a file, as far as they are undamaged.
    private static func start(_ place: SideFile.Place, _ zip: UnsafeZipFile?) throws -> [UInt8] {
        let source = try ExportContainer.open(place, in: zip)
        return try [UInt8](unsafeUninitializedCapacity: startBytes) { buffer, count in
            while count < startBytes {
                do {
                    let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
                    let got = try source.read(into: UnsafeMutableRawBufferPointer(rest))
                    if got == 0 { return }
                    count += got
                } catch let damage as DamagedSource {
                    if damage.isReadError { throw damage }
                    return
                }
            }
        }
    }

    /// Whether the first element is `HealthData`, or the DOCTYPE names it.
    private static func startsAsExport(_ start: [UInt8]) -> Bool {
        start.withUnsafeBufferPointer { bytes in
            var isExport = false
            ByteMarkup.forEach(in: bytes) { at in
                isExport =
                    ByteMarkup.names("<HealthData", bytes, at: at)
                    || ByteMarkup.names("<!DOCTYPE HealthData", bytes, at: at)
                    || ByteMarkup.starts("<!DOCTYPE HealthData[", bytes, at: at)
                return isExport || ByteMarkup.isTag(bytes, at: at) ? nil : at + 1
            }
            return isExport
        }
    }
}
