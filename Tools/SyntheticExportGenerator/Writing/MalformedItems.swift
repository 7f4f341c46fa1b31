/// Writes the damaged items of a dump between its ordinary ones.
struct MalformedItems {
    let dump: Dump

    /// How many items of a kind are whole enough to be stored, and how many can only be put aside.
    static func expected(_ kind: Malformation) -> (stored: Int, quarantined: Int) {
        switch kind {
        case .secondStartDate, .verticalTab, .invalidUTF8, .unparsableCreationDate, .manyMetadata, .iOS8Records,
            .workoutZones:
            (1, 0)
        case .unknownElement: (2, 0)
        case .missingStartDate, .missingType, .unparsableDate, .deepNesting, .manyAttributes: (0, 1)
        case .oddOffsets: (3, 0)
        case .oddDates: (4, 0)
        case .truncated, .malformedDTD, .noDTD, .zipChecksum, .zipTruncated: (0, 0)
        }
    }

    /// Writes the items of one kind of damage; kinds that concern the whole file write nothing here.
    func write(_ kind: Malformation, to out: OutputBuffer) {
        switch kind {
        case .secondStartDate:
            out.line(" <Record \(head) startDate=\"\(date(0))\" startDate=\"\(date(60))\" value=\"101\"/>")
        case .verticalTab:
            out.line(" <Record type=\"\(type)\" sourceName=\"Tab\u{0B}Walker\" \(rest(120)) value=\"102\"/>")
        case .invalidUTF8:
            out.text(" <Record type=\"\(type)\" sourceName=\"Broken ")
            out.byte(0xC3)
            out.line("(name\" \(rest(240)) value=\"103\"/>")
        case .missingStartDate: out.line(" <Record \(head) endDate=\"\(date(360))\" value=\"104\"/>")
        case .missingType: out.line(" <Record sourceName=\"Pacer\" \(rest(480)) value=\"105\"/>")
        case .unparsableDate:
            out.line(" <Record \(head) startDate=\"yesterday\" endDate=\"\(date(600))\" value=\"106\"/>")
        case .unparsableCreationDate:
            out.line(
                " <Record type=\"\(type)\" sourceName=\"Pacer\" unit=\"count\" creationDate=\"2025-13-77\" startDate=\"\(date(700))\" endDate=\"\(date(720))\" value=\"107\"/>"
            )
        case .unknownElement:
            out.line(" <Record type=\"\(type)\" sourceName=\"Pacer\" mood=\"fine\" \(rest(840)) value=\"108\"/>")
            out.line(" <StateOfMind kind=\"daily\" valence=\"0.4\">")
            out.line("  calm &amp; curious")
            out.line("  <Label name=\"calm\"/>")
            out.line(" </StateOfMind>")
        case .workoutZones:
            out.line(
                " <Workout workoutActivityType=\"HKWorkoutActivityTypeRowing\" duration=\"10\" durationUnit=\"min\" sourceName=\"Pacer\" creationDate=\"\(date(3600))\" startDate=\"\(date(1200))\" endDate=\"\(date(1800))\">"
            )
            out.line(
                "  <WorkoutZoneGroup type=\"HKQuantityTypeIdentifierHeartRate\" source=\"automatic\" unit=\"count/min\">"
            )
            out.line("   <WorkoutZone minimum=\"0\" maximum=\"128\" duration=\"7.5\" durationUnit=\"min\"/>")
            out.line("   <WorkoutZone minimum=\"128\" duration=\"2.5\" durationUnit=\"min\"/>")
            out.line("  </WorkoutZoneGroup>")
            out.line(" </Workout>")
        case .deepNesting:
            let depth = 10_000
            out.line(" " + String(repeating: "<Deep>", count: depth) + String(repeating: "</Deep>", count: depth))
        case .manyAttributes:
            out.text(" <Record type=\"\(type)\" sourceName=\"Pacer\"")
            for number in 0..<200_000 { out.text(" a\(number)=\"\(number)\"") }
            out.line(" \(rest(960)) value=\"109\"/>")
        case .manyMetadata:
            out.line(" <Record \(head) startDate=\"\(date(1080))\" endDate=\"\(date(1090))\" value=\"110\">")
            for number in 0..<100_000 { out.line("  <MetadataEntry key=\"k\(number)\" value=\"v\(number)\"/>") }
            out.line(" </Record>")
        case .oddOffsets, .oddDates: odd(kind, to: out)
        case .iOS8Records:
            out.line(
                " <Record type=\"\(type)\" source=\"Pacer\" unit=\"count\" startDate=\"20140107104300-0800\" endDate=\"20140107114300-0800\" value=\"1180\" recordCount=\"12\"/>"
            )
        case .truncated, .malformedDTD, .noDTD, .zipChecksum, .zipTruncated: break
        }
    }

    private let type = "HKQuantityTypeIdentifierStepCount"
    private var head: String { "type=\"\(type)\" sourceName=\"Pacer\" unit=\"count\" creationDate=\"\(date(3600))\"" }

    private func rest(_ seconds: Int) -> String {
        "unit=\"count\" creationDate=\"\(date(3600))\" startDate=\"\(date(seconds))\" endDate=\"\(date(seconds + 30))\""
    }

    private func odd(_ kind: Malformation, to out: OutputBuffer) {
        let pairs: [(String, String)] =
            kind == .oddOffsets
            ? [
                ("2024-02-29 12:00:00 +0545", "2024-02-29 12:01:00 +0545"),
                ("2024-02-29 12:00:00 -0930", "2024-02-29 12:01:00 -0930"),
                ("2024-02-29 12:00:00 +1400", "2024-02-29 12:01:00 +1400"),
            ]
            : [
                ("2016-12-31 23:59:60 +0000", "2017-01-01 00:00:00 +0000"),
                ("2024-05-04 24:00:00 +0200", "2024-05-05 00:01:00 +0200"),
                ("1969-07-20 20:17:40 +0000", "1969-07-20 20:18:00 +0000"),
                ("2999-12-31 23:59:59 +0000", "3000-01-01 00:00:00 +0000"),
            ]
        for (number, pair) in pairs.enumerated() {
            out.line(" <Record \(head) startDate=\"\(pair.0)\" endDate=\"\(pair.1)\" value=\"\(200 + number)\"/>")
        }
    }

    /// An instant near the export, printed with its offset.
    private func date(_ seconds: Int) -> String { dump.printed(dump.exportDate - 7200 + seconds) }
}
