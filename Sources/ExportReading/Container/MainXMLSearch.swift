internal import Basics
internal import Foundation
internal import HealthModel

/// Finds the main XML among the files of a container by its content, because its name is localized.
enum MainXMLSearch {
    /// The files of a container.
    struct Listing {
        var files: [ContainerFile] = []
        /// Whether it is a zip that was cut off: then those are listed that come before the cut.
        var isCut = false
        /// A symbolic link in a folder whose name is that of an XML; links are not followed.
        var linkedXML: String?
        /// Names that a zip has several times, each with the names under which the others are kept.
        var repeated: [(name: String, kept: [String])] = []

        /// Gives all but the last member of a name names of their own: unpacked, the last one would be left.
        mutating func nameRepeated() {
            var places: [String: [Int]] = [:]
            for (index, file) in files.enumerated() { places[file.name, default: []].append(index) }
            guard places.count < files.count else { return }
            var taken = Set(places.keys)
            for (name, indices) in places.sorted(by: { $0.key < $1.key }) where indices.count > 1 {
                var number = 0
                let kept = indices.dropLast().map { index in
                    repeat { number += 1 } while !taken.insert(Self.numbered(name, number)).inserted
                    files[index].name = Self.numbered(name, number)
                    return files[index].name
                }
                repeated.append((name, kept))
            }
        }

        /// `a/b (2).gpx` of `a/b.gpx`.
        private static func numbered(_ name: String, _ number: Int) -> String {
            let path = name as NSString
            let ending = path.pathExtension
            return "\(path.deletingPathExtension) (\(number))" + (ending.isEmpty ? "" : ".\(ending)")
        }
    }

    /// How much of a file is looked at.
    private static let startBytes = 1 << 16

    /// The files of a zip.
    ///
    /// - Throws: `encrypted`, `notAHealthExport` where it is no zip, `inputOutput`.
    static func list(zip path: String) throws -> Listing {
        var listing = Listing()
        func append(_ entry: ZipMember.Entry) throws {
            // Windows tools write backslashes between folders.
            let name = entry.name.replacing("\\", with: "/")
            guard !isPassedOver(name), !(name.hasSuffix("/") && entry.member.byteCount == 0) else { return }
            if entry.isEncrypted {
                throw HealthProbeError(
                    .encrypted, "The zip archive is encrypted.",
                    hint: "Unpack it with its password first and give the folder.")
            }
            listing.files.append(
                ContainerFile(
                    name: name, byteCount: entry.member.byteCount ?? 0, place: .member(entry.member),
                    isReadable: UnsafeZipFile.isReadable(entry.member)))
        }
        do {
            let bytes = try ZipBytes(path: path)
            if let directory = try ZipDirectory(bytes) {
                try directory.forEach(append)
                listing.nameRepeated()
                return listing
            }
            if let headers = try ZipLocalHeaders(path: path, bytes) {
                try headers.forEach(append)
                listing.isCut = true
                listing.nameRepeated()
                return listing
            }
        } catch let damage as DamagedSource {
            throw damage.inputOutput
        }
        throw HealthProbeError(
            .notAHealthExport, "The zip archive cannot be read: it has neither an end record nor a first member.",
            hint: "If it was cut off while copying, copy it again; an unpacked folder or bare XML can be read too.")
    }

    /// The regular files of a folder, at most four levels deep.
    static func list(folder path: String) -> Listing {
        var listing = Listing()
        guard let files = FileManager.default.enumerator(atPath: path) else { return listing }
        for case let relative as String in files {
            let type = files.fileAttributes?[.type] as? FileAttributeType
            if type == .typeSymbolicLink, isXML(relative), !isPassedOver(relative) { listing.linkedXML = relative }
            guard type == .typeRegular, !isPassedOver(relative) else { continue }
            if relative.components(separatedBy: "/").count > 4 { continue }
            let size = (files.fileAttributes?[.size] as? NSNumber)?.int64Value ?? 0
            listing.files.append(
                ContainerFile(
                    name: relative, byteCount: size, place: .file((path as NSString).appendingPathComponent(relative))))
        }
        return listing
    }

    /// The one that is a Health export's main XML.
    ///
    /// - Parameter zip: the container, where it is a zip.
    /// - Throws: `notAHealthExport` where there is none, `severalHealthExports`, `inputOutput`.
    static func choose(_ listing: Listing, zip: UnsafeZipFile?) throws -> ContainerFile {
        let named = listing.files.filter { isXML($0.name) }
        var isUTF16 = false
        let mains = try named.filter { candidate in
            do {
                guard candidate.isReadable else { return false }
                let start = try start(candidate.place, zip)
                if ByteMarkup.isUTF16(start.view) { isUTF16 = true }
                return startsAsExport(start.view)
            } catch let damage as DamagedSource {
                if damage.isReadError { throw damage.inputOutput }
                return false
            }
        }
        guard let main = mains.first else {
            if named.contains(where: { !$0.isReadable }) {
                // A stored member's length may stand behind it, or in the directory alone.
                if listing.isCut {
                    throw HealthProbeError(
                        .notAHealthExport,
                        "The zip was cut off, and its XML cannot be read without the part that is missing.",
                        hint: "Copy the zip again.")
                }
                throw HealthProbeError(
                    .notAHealthExport, "The XML in it is compressed in a way that is not supported.",
                    hint: "Unpack it and give the folder, or zip it again as Deflate, as the Health app does.")
            }
            if isUTF16 { throw HealthProbeError.utf16 }
            if let link = listing.linkedXML {
                throw HealthProbeError(
                    .notAHealthExport,
                    "The only XML of the folder is a symbolic link, \(link), and links are not followed.",
                    hint: "Give the file it points to, or a folder that holds the file itself.")
            }
            throw HealthProbeError(
                .notAHealthExport,
                "No Apple Health export was found in \(listing.isCut ? "what is left of the zip, which was cut off" : "it").",
                hint: listing.isCut
                    ? "Copy the zip again."
                    : "The export's main XML contains <HealthData near its start, whatever its name is.")
        }
        if mains.count > 1 {
            throw HealthProbeError(
                .severalHealthExports,
                "There are several Apple Health exports in it: \(mains.map(\.name).sorted().joined(separator: ", ")).",
                hint: "Give the one you mean as a bare XML file or in a folder of its own.")
        }
        return main
    }

    private static func isXML(_ name: String) -> Bool { name.lowercased().hasSuffix(".xml") }

    private static func isPassedOver(_ name: String) -> Bool {
        let last = (name as NSString).lastPathComponent
        return name.hasPrefix("__MACOSX/") || name.contains("/__MACOSX/") || last.hasPrefix("._") || last == ".DS_Store"
    }

    /// The first bytes of a file, as far as they are undamaged.
    private static func start(_ place: SideFile.Place, _ zip: UnsafeZipFile?) throws -> ByteBuffer {
        let source = try ExportContainer.open(place, in: zip)
        let start = ByteBuffer(capacity: startBytes)
        do {
            while start.count < startBytes, try source.read(into: start, upTo: startBytes - start.count) > 0 {}
        } catch let damage as DamagedSource {
            if damage.isReadError { throw damage }
        }
        return start
    }

    /// Whether the first element is `HealthData`, or the DOCTYPE names it.
    private static func startsAsExport(_ start: ByteView) -> Bool {
        var isExport = false
        ByteMarkup.forEach(in: start) { at in
            isExport =
                ByteMarkup.names("<HealthData", start, at: at)
                || ByteMarkup.names("<!DOCTYPE HealthData", start, at: at)
                || start.has("<!DOCTYPE HealthData[", at: at)
            return isExport || TagLexer.isTag(start, at: at) ? nil : at + 1
        }
        return isExport
    }
}

extension HealthProbeError {
    static let utf16 = HealthProbeError(
        .notAHealthExport, "The XML is written in UTF-16; only UTF-8 is read, which the Health app writes.",
        hint: "Export again from the Health app, or convert the file (iconv -f UTF-16 -t UTF-8).")
}
