import Basics
import ExportReading
import Foundation
import HealthModel
import Testing
import TestSupport

struct ContainerTests {
    private static let xml = document("<Note/>")

    @Test func bareFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("anything.txt", Self.xml)
        let container = try ExportContainer(path: path)
        #expect(container.form == .xml)
        #expect(container.name == "anything.txt")
        #expect(container.mainName == "anything.txt")
        #expect(container.mainByteCount == Int64(Self.xml.utf8.count))
        #expect(container.sideFiles.isEmpty)
        #expect(try container.containerDigest() == nil)
        #expect(try container.mainDigest() == Digest256(hashing: Self.xml))
        #expect(try container.peek().exportDate?.offsetSeconds == 7200)
    }

    @Test(arguments: ["", "apple_health_export/", "deep/apple_health_export/"])
    func folders(prefix: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(prefix + "导出.xml", Self.xml)
        try folder.write(prefix + "export_cda.xml", "<ClinicalDocument/>")
        try folder.write(prefix + "._导出.xml", Self.xml)
        try folder.write("__MACOSX/" + prefix + "导出.xml", Self.xml)
        try folder.write(prefix + "workout-routes/r.gpx", "<gpx/>")
        for path in [folder.path, folder.path + "/"] {
            let container = try ExportContainer(path: path)
            #expect(container.form == .folder)
            #expect(container.mainName == prefix + "导出.xml")
            #expect(container.sideFiles.map(\.path) == ["workout-routes/r.gpx"])
            #expect(try readExport(path: path).document.isComplete)
        }
    }

    /// Where an export states no date, that of its XML stands for it, also in a folder.
    @Test func theDateOfAFolderIsThatOfItsXML() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("export/export.xml", Self.xml)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        for path in [path, folder.path + "/export"] {
            #expect(try ExportContainer(path: path).modifiedSeconds == 1_700_000_000)
        }
    }

    @Test func symbolicLinks() throws {
        let folder = try TemporaryFolder()
        let target = try folder.write("real/export.xml", Self.xml)
        let zip = try folder.write("x.zip", ZipWriter.zip([.init("export.xml", Self.xml)]))
        for (name, destination) in [("file", target), ("folder", folder.path + "/real"), ("zip", zip)] {
            let link = folder.path + "/link-" + name
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: destination)
            #expect(try readExport(path: link).document.isComplete, "\(name)")
        }
        // Inside a folder links are not followed: they may lead anywhere.
        let inside = folder.path + "/inside"
        try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: inside + "/export.xml", withDestinationPath: target)
        try FileManager.default.createSymbolicLink(atPath: inside + "/loop", withDestinationPath: inside)
        let linked = #expect(throws: HealthProbeError.self) { try ExportContainer(path: inside) }
        #expect(linked?.code == .notAHealthExport)
        #expect(linked?.message.contains("symbolic link, export.xml,") == true)
        let dangling = folder.path + "/dangling"
        try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: folder.path + "/nothing")
        let error = #expect(throws: HealthProbeError.self) { try ExportContainer(path: dangling) }
        #expect(error?.code == .noSuchInput)
    }

    @Test func aDeviceIsNoExport() {
        let error = #expect(throws: HealthProbeError.self) { try ExportContainer(path: "/dev/null") }
        #expect(error?.code == .noSuchInput)
        #expect(error?.message.contains("neither a regular file nor a folder") == true)
    }

    @Test func whatIsNotThere() throws {
        let error = #expect(throws: HealthProbeError.self) { try ExportContainer(path: "/no/such/file") }
        #expect(error?.code == .noSuchInput)
        let folder = try TemporaryFolder()
        let empty = #expect(throws: HealthProbeError.self) { try ExportContainer(path: folder.path) }
        #expect(empty?.code == .notAHealthExport)
    }

    @Test func severalExportsInAFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/export.xml", Self.xml)
        try folder.write("b/export.xml", Self.xml)
        let error = #expect(throws: HealthProbeError.self) { try ExportContainer(path: folder.path) }
        #expect(error?.code == .severalHealthExports)
        #expect(error?.message.contains("a/export.xml, b/export.xml") == true)
    }

    @Test func cancellingAReadingEndsIt() throws {
        struct Enough: Error {}
        let folder = try TemporaryFolder()
        let record =
            "<Record type=\"T\" startDate=\"2024-01-01 02:00:00 +0200\" endDate=\"2024-01-01 02:00:00 +0200\"/>\n"
        let path = try folder.write("x.xml", document(String(repeating: record, count: 60_000)))
        for pages in [1, 2, 5] {
            var seen = 0
            #expect(throws: Enough.self) {
                _ = try ExportReader(try ExportContainer(path: path), chunkBytes: 1 << 12).read { _ in
                    seen += 1
                    if seen == pages { throw Enough() }
                }
            }
            #expect(seen == pages)
        }
    }

    /// A zip that cannot be opened any more says nothing of what is in it: that is no damage.
    @Test func aSideFileOfAZipThatIsGone() throws {
        let folder = try TemporaryFolder()
        let zip = try folder.write(
            "x.zip",
            ZipWriter.zip([.init("export.xml", Self.xml), .init("workout-routes/route_1.gpx", Array("<gpx/>".utf8))]))
        let container = try ExportContainer(path: zip)
        let file = try #require(container.sideFiles.first)
        try FileManager.default.removeItem(atPath: zip)
        #expect(throws: HealthProbeError.self) { try container.read(file) { _ in } }
    }
}
