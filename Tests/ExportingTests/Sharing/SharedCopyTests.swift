internal import ArchiveTestSupport
internal import Basics
internal import Exporting
internal import Foundation
internal import Testing

/// A copy to share has no date, name, identifier or end of a track of the export that it was made of.
@Suite(.enabled(if: PlainPython.path != nil, "python3 is not there"))
struct SharedCopyTests {
    private static let track = (0...10).map { step in
        #"<trkpt lat="51.4\#(700 + step * 10)" lon="-0.0014"><time>2024-01-01T04:\#(10 + step):00Z</time></trkpt>"#
    }

    private func archive() throws -> TestArchive {
        let archive = try TestArchive()
        var files = Samples.files
        files["workout-routes/home of Alma.gpx"] =
            "<gpx><metadata><time>2024-01-02T05:00:00Z</time></metadata><trk><trkseg>\(Self.track.joined())</trkseg></trk></gpx>"
        let condensed = Samples.metadata(
            "HKMetadataKeySyncIdentifier", "1:5F3C-EXTERNAL-UUID:725800000.00000:725800060.00000:12")
        let written = Samples.steps(7, inner: condensed + Samples.metadata("Seen", "on 2024-01-01, by Alma"))
        try archive.add(day: 2, Samples.phone + [written], files: files)
        return archive
    }

    /// Everything that others get: names of members, what is in them, and the manifest.
    private func text(_ written: WrittenExport) throws -> String {
        let members = PlainPython.members(written.path)
        #expect(members.count > 2)
        return try members.map { $0.key + "\n" + $0.value }.joined(separator: "\n") + written.manifestText()
    }

    @Test(arguments: [Provenance.none, .hashed])
    func nothingOfTheOriginal(_ provenance: Provenance) throws {
        let archive = try archive()
        let written = try archive.write("copy.zip", key: archive.key()) {
            ($0.isZip, $0.provenance, $0.include) = (true, provenance, [.routes])
            $0.sharing = SharedCopy(shiftDays: -1000, trimMetres: 250)
        }
        let text = try text(written)
        for date in ["2024-01", "1980-02"] { #expect(!text.contains(date), "\(date)") }
        #expect(text.contains("2021-04-06"), "moved")
        for name in Samples.identifying { #expect(!text.contains(name), "\(name)") }
        for bound in ["725800000", "725800060"] { #expect(!text.contains(bound)) }
        for place in ["51.4700", "51.4710", "51.4720", "51.4780", "51.4800"] {
            #expect(!text.contains(place), "\(place)")
        }
        #expect(text.contains("51.4750"), "the middle of the track")
        #expect(
            PlainPython.evaluate("{i.date_time[:2] for i in zipfile.ZipFile(sys.argv[1]).infolist()}", written.path)
                == "{(2021, 4)}")
        #expect(try ExportVerification.run(written.path, signers: nil).recordCount > 0)
        let back = try TestArchive()
        try back.add(path: written.path)
        let counts = try [archive, back].map { try $0.identities(of: 1).values.map(\.count).reduce(0, +) }
        #expect(counts[0] == counts[1])
    }

    /// With full provenance dates move, too, in identifiers of condensed series and in birthdays.
    @Test func datesAlone() throws {
        let archive = try archive()
        // The folder with the copy goes with the archive.
        defer { withExtendedLifetime(archive) {} }
        let written = try archive.write("copy.zip", key: nil) {
            $0.isZip = true
            $0.sharing = SharedCopy(shiftDays: 31)
        }
        let text = try text(written)
        for date in ["2024-01", "1980-02-03"] { #expect(!text.contains(date), "\(date)") }
        for moved in [
            "1:5F3C-EXTERNAL-UUID:728478400.00000:728478460.00000:12", "on 2024-02-01, by Alma", "1980-03-05",
        ] {
            #expect(text.contains(moved), "\(moved)")
        }
        #expect(text.contains("51.4700"), "the whole track")
        #expect(!text.contains("letter of Iris") && !text.contains("subject"), "no document of another format")
    }

    @Test func theManifestSaysWhatWasDone() throws {
        let archive = try archive()
        let plain = try archive.write("plain.zip", key: nil) { $0.isZip = true }
        #expect(plain.manifest.json["sharing"] == nil)
        for (copy, moved, trimmed) in [
            (SharedCopy(shiftDays: 5), true, false), (SharedCopy(trimMetres: 5), false, true),
        ] {
            let written = try archive.write("copy-\(moved).zip", key: nil) { ($0.isZip, $0.sharing) = (true, copy) }
            let said = written.manifest.json
            #expect(
                said["sharing"]?["datesMoved"]?.bool == moved && said["sharing"]?["tracksTrimmed"]?.bool == trimmed)
            #expect(said["stateDigest"]?.string == nil && said["streamDigest"]?.string == nil)
            #expect(written.manifest.contentHash != plain.manifest.contentHash)
            #expect(!(try written.manifestText()).contains("\"5\""))
        }
    }
}
