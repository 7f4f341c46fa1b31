import Basics
import ExportReading
import Foundation
import HealthModel
import Testing
import TestSupport

struct SideFileTests {
    private func hash(_ kind: SideFileKind, _ text: String, pieces: Int = 1 << 20) -> String {
        var hash = SideFileHash(kind: kind)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            bytes[start..<min(start + pieces, bytes.count)].withByteView { hash.update($0) }
        }
        return hash.finalize().hex
    }

    private static func gpx(time: String, name: String, point: String = "1", tail: String = "") -> String {
        """
        <?xml version="1.0"?><gpx version="1.1" creator="Apple Health Export">
        <metadata><time>\(time)</time></metadata>
        <trk><name>\(name)</name><trkseg><trkpt lon="\(point)" lat="2"><time>2019-09-24T10:22:37Z</time></trkpt>\(tail)</trkseg></trk></gpx>
        """
    }

    @Test func tracksWithoutWhatChangesAtEveryExport() {
        let a = Self.gpx(time: "2024-01-01T00:00:00Z", name: "Route 2024-01-01 6:51pm")
        let b = Self.gpx(time: "2025-01-01T00:00:00Z", name: "Route 2024-01-01 4:51pm")
        #expect(hash(.workoutRoute, a) == hash(.workoutRoute, b))
        #expect(hash(.workoutRoute, a) != hash(.workoutRoute, Self.gpx(time: "", name: "", point: "3")))
        #expect(hash(.clinicalRecord, a) != hash(.clinicalRecord, b))
        #expect(hash(.attachment, a) == Digest256(hashing: a).hex)
        #expect(hash(.workoutRoute, "") == Digest256(hashing: "").hex)
    }

    @Test func piecesMakeNoDifference() {
        let long = Self.gpx(time: "t", name: "n", tail: String(repeating: "<trkpt/>", count: 20_000))
        let whole = hash(.workoutRoute, long)
        for size in [1, 7, 4_096, 65_535, 65_536, 65_537] {
            #expect(hash(.workoutRoute, long, pieces: size) == whole, "\(size)")
        }
    }

    @Test func onlyTheFirstBytesAreLookedAt() {
        for (padding, isLeftOut) in [(65_000, true), (65_536, false), (100_000, false)] {
            let blank = String(repeating: " ", count: padding)
            func track(_ time: String) -> String { "<gpx>\(blank)<metadata><time>\(time)</time></metadata><trk>" }
            for size in [1_000, 65_536, 1 << 20] {
                let isSame =
                    hash(.workoutRoute, track("a"), pieces: size) == hash(.workoutRoute, track("b"), pieces: size)
                #expect(isSame == isLeftOut, "\(padding) \(size)")
            }
        }
    }

    /// A point's own time or name is never taken for what an export writes anew.
    @Test(arguments: [
        ("<metadata/><trk><trkseg>", "<time>@</time>"), ("<trk><trkseg>", "<time>@</time>"),
        ("<metadata><link/></metadata><trk><trkseg>", "<time>@</time>"),
        ("<metadata><time>", "@</time><time>@</time>"),
        ("<metadata><time>t</time></metadata><trk><trkseg>", "<name>@</name>"),
        ("<metadata><time>t</time></metadata><trk><name>n</name><trkseg>", "<name>@</name>"),
        ("<trk></trk><trk><trkseg>", "<name>@</name>"),
    ])
    func pointsOfATrackCount(before: String, point: String) {
        func track(_ value: String) -> String { "<gpx>\(before)<trkpt>\(point.replacing("@", with: value))" }
        #expect(hash(.workoutRoute, track("1")) != hash(.workoutRoute, track("2")))
        #expect(hash(.workoutRoute, track("1")) == hash(.workoutRoute, track("1"), pieces: 3))
    }

    // MARK: - Electrocardiograms

    private static func ecg(date: String, samples: String, classification: String = "Sinus Rhythm") -> String {
        """
        Name,A B
        Date of Birth,"Jan 15, 1990"
        Recorded Date,\(date)
        Classification,\(classification)
        Symptoms,
        Software Version,1.90
        Device,"Watch6,7"
        Sample Rate,512 hertz

        Lead,Lead I
        Unit,µV

        \(samples)
        """
    }

    private func read(_ files: [String]) throws -> ReadExport {
        let folder = try TemporaryFolder()
        try folder.write("export.xml", document(""))
        for (index, text) in files.enumerated() { try folder.write("electrocardiograms/ecg_\(index).csv", text) }
        var collector = PageCollector()
        try ExportReader(try ExportContainer(path: folder.path))
            .readElectrocardiograms(exportOffset: 7200) { collector.take($0) }
        return collector.result
    }

    @Test func electrocardiograms() throws {
        let read = try read([
            Self.ecg(date: "2023-03-04 20:57:45 +0200", samples: "-265.868\n10\n0.5"),
            Self.ecg(date: "2023-03-04 19:57:45 +0100", samples: "-265,868\n10\n0,500"), "nothing,here", "",
        ])
        #expect(read.items.map(\.type) == [SampleType.electrocardiogram, SampleType.electrocardiogram])
        #expect(read.items.map(\.strictKey) == ["[1677956265]", "[1677956265]"])
        #expect(read.items[0].version == read.items[1].version)
        #expect(read.items.map(\.volatileFields) == [nil, "{\"offsets\":{\"recordedDate\":3600}}"])
        #expect(read.items[0].filePath == "electrocardiograms/ecg_0.csv")
        #expect(read.items[0].extras?.contains("\"dateOfBirth\":\"Jan 15, 1990\"") == true)
        #expect(read.items[0].extras?.contains("\"device\":\"Watch6,7\"") == true)
        #expect(read.items[0].extras?.contains("\"count\":3") == true)
        #expect(read.quarantined.map(\.reason) == ["unreadableElectrocardiogram", "unreadableElectrocardiogram"])
        #expect(read.quarantined.map(\.text) == ["electrocardiograms/ecg_2.csv", "electrocardiograms/ecg_3.csv"])
    }

    @Test func linesAmongSamplesCount() throws {
        func samples(_ text: String) throws -> ReadItem {
            let read = try read([Self.ecg(date: "2023-03-04 20:57:45 +0200", samples: text)])
            return try #require(read.items.first)
        }
        let plain = try samples("1\n2\n3")
        #expect(try samples(" 1\t\n\n  \n2,0 \r\n\t3").version == plain.version)
        let between = try samples("1\nNaN x\n2\n3\na,b")
        #expect(between.extras?.contains("\"text\":\"NaN x\\na,b\"") == true)
        #expect(between.extras?.contains("\"count\":3") == true)
        let versions = try [plain, between, samples("1\n2\nNaN x\n3\na,b"), samples("1\n2\n3\nNaN x")].map(\.version)
        #expect(Set(versions).count == 4)
    }

    @Test func quotesOfAHeader() throws {
        let read = try read([
            Self.ecg(
                date: "2023-03-04 20:57:45 +0200", samples: "1", classification: "\"I \"\"q\"\", on\"\nNote,a \"b\" c")
        ])
        #expect(read.items.first?.extras?.contains("\"classification\":\"I \\\"q\\\", on\"") == true)
        #expect(read.items.first?.extras?.contains("\"symptoms\":\"a \\\"b\\\" c\"") == true)
    }

    @Test func otherFilesBesideElectrocardiograms() throws {
        let folder = try TemporaryFolder()
        try folder.write("export.xml", document(""))
        let text = Self.ecg(date: "2023-03-04 20:57:45 +0200", samples: "1\nx")
        for name in [".keep", "d.txt", "ecg_1.CSV"] { try folder.write("electrocardiograms/\(name)", text) }
        var collector = PageCollector()
        let unknown = try ExportReader(try ExportContainer(path: folder.path))
            .readElectrocardiograms(exportOffset: 7200) { collector.take($0) }
        #expect(collector.result.items.map(\.filePath) == ["electrocardiograms/ecg_1.CSV"])
        #expect(collector.result.quarantined.isEmpty)
        #expect(unknown == ["Electrocardiogram#text": 1])
    }

    @Test func sideFilesAndTheirBytes() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "x.zip",
            ZipWriter.zip([
                ZipWriter.Member("apple_health_export/workout-routes/b.gpx", "b"),
                ZipWriter.Member("apple_health_export/export.xml", document("")),
                ZipWriter.Member("apple_health_export/workout-routes/a.gpx", "a"),
                ZipWriter.Member("apple_health_export/clinical-records/c.json", "{}"),
                ZipWriter.Member("apple_health_export/attachments/d/e.bin", "d"),
                ZipWriter.Member("apple_health_export/electrocardiograms/ecg.csv", "e"),
                ZipWriter.Member("elsewhere/workout-routes/z.gpx", "z"),
                ZipWriter.Member("apple_health_export/other/y", "y"),
            ]))
        let container = try ExportContainer(path: path)
        #expect(
            container.sideFiles.map(\.path) == [
                "attachments/d/e.bin", "clinical-records/c.json", "electrocardiograms/ecg.csv", "workout-routes/a.gpx",
                "workout-routes/b.gpx",
            ])
        #expect(
            container.sideFiles.map(\.kind) == [
                .attachment, .clinicalRecord, .electrocardiogram, .workoutRoute, .workoutRoute,
            ])
        var bytes: [UInt8] = []
        for file in container.sideFiles { try container.read(file) { bytes += Array($0) } }
        #expect(String(decoding: bytes, as: UTF8.self) == "d{}eab")
        #expect(try container.containerDigest() != nil)
    }
}
