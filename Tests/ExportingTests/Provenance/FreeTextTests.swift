internal import ArchiveTestSupport
internal import Exporting
internal import Foundation
internal import Testing

/// Wherever an export may have free text, `hashed` and `none` print none of it; what only looks like it stays.
@Suite struct FreeTextTests {
    private static let items = [
        Samples.steps(
            1,
            inner: Samples.metadata("Address", "12 Zornstreet") + Samples.metadata("HKTimeZone", "home of Zorn")
                + Samples.metadata("HKWeatherTemperature", "12 Zorn") + Samples.metadata("Limit", "5 mol&lt;123456&gt;")
                + #"<Child type="Dr Zorn" unit="Zorn" key="Zorn" date="never, Zorn" lead="Zorn" eye="Zorn"/>"#
                + #"<MetadataEntry key="of Zorn" value="v" type="Zorn x"/>"#
                + #"<Größe><HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm="Zorn" time="1:00:00.5"/>"#
                + "</HeartRateVariabilityMetadataList></Größe>"),
        Samples.steps(
            2,
            inner: #"<HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm="61" time="1:00:00.5"/>"#
                + #"<InstantaneousBeatsPerMinute bpm="of Zorn" time="seen by Zorn"/></HeartRateVariabilityMetadataList>"#
        ),
        #"<Müller_Zorn a="1">x</Müller_Zorn>"#, #"<Élan_Zorn a="1"/>"#,
        #"<ClinicalRecord type="Observation" identifier="1" fhirVersion="Dr Zorn" receivedDate="Dr Zorn"/>"#,
        #"<VisionPrescription type="Glasses" dateIssued="when Zorn came" expirationDate="never, Zorn"/>"#,
        #"<Workout workoutActivityType="HKWorkoutActivityTypeRunning" durationUnit="by Zorn" startDate="\#(Samples.time(9))" endDate="\#(Samples.time(9))"/>"#,
    ]

    private static let plain = [
        Samples.steps(
            1,
            inner: Samples.metadata("Speed", "4.5 m/s") + Samples.metadata("Load", "9.1 kcal/hr·kg")
                + Samples.metadata("HKTimeZone", "America/Argentina/Buenos_Aires")
                + Samples.metadata("HKWeatherTemperature", "72 degF")
                + #"<Child date="2024-05-03" seen="2024-01-01 10:00:00 +0000"/>"#),
        #"<ClinicalRecord type="Observation" identifier="1" fhirVersion="4.0.1" receivedDate="2024-05-01T10:00:00Z"/>"#,
        #"<VisionPrescription type="Glasses" dateIssued="2024-05-01" expirationDate="2025-05-02"/>"#,
        #"<WorkoutEvent type="HKWorkoutEventTypePause" durationUnit="min"/>"#,
    ]

    private static let stays = [
        "4.5 m/s", "9.1 kcal/hr·kg", "America/Argentina/Buenos_Aires", "72 degF", "2024-05-03", "4.0.1",
        "2024-05-01", "2025-05-02", "HKWorkoutEventTypePause",
    ]

    @Test(arguments: [Provenance.hashed, .none])
    func leavesNoExport(_ profile: Provenance) throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Self.items)
        try archive.add(day: 3, [])
        for kind in [ExportKind.records, .types, .manifest, .diff] {
            let bag = try archive.export(
                archive.question(kind, from: kind.hasTwoSides ? 1 : nil, to: kind.hasTwoSides ? 2 : 1) {
                    $0.provenance = profile
                    $0.types = kind == .records ? ["Element/Müller_Zorn", "Element/Élan_Zorn"] : nil
                })
            let all = try bag.text(bag.itemsFile) + bag.text("data/envelope.json")
            #expect(!all.contains("Zorn") && !all.contains("123456"), "\(kind): \(all)")
            #expect(try bag.failure() == nil)
            if kind == .records {
                #expect(Set(try bag.items().compactMap { $0["type_identifier"] as? String }).count == 2)
            }
        }
        let bag = try archive.export(archive.question { $0.provenance = profile })
        #expect(try !bag.text(bag.itemsFile).contains("Zorn"))
        let written = try archive.write("export.xml", key: archive.key()) { request in
            request.provenance = profile
            request.state = .ever
        }
        #expect(try !written.text().contains("Zorn") && !written.manifestText().contains("Zorn"))
    }

    @Test(arguments: [Provenance.hashed, .none])
    func plainTextStays(_ profile: Provenance) throws {
        let archive = try TestArchive()
        try archive.add(day: 2, Self.plain)
        let bag = try archive.export(archive.question { $0.provenance = profile })
        let text = try bag.text(bag.itemsFile)
        let xml = try archive.write("export.xml", key: archive.key()) { $0.provenance = profile }.text()
        for word in Self.stays { #expect(text.contains(word) && xml.contains(word), "\(word)") }
        #expect(text.contains(#""seen":"2024-01-01T10:00:00.000Z""#))
        #expect(xml.contains(#"seen="2024-01-01 10:00:00 +0000""#))
    }
}
