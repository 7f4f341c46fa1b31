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
            line(" <Record \(head) startDate=\"\(date(0))\" startDate=\"\(date(60))\" value=\"101\"/>", to: out)
        case .verticalTab:
            line(" <Record type=\"\(type)\" sourceName=\"Tab\u{0B}Walker\" \(rest(120)) value=\"102\"/>", to: out)
        case .invalidUTF8:
            out.text(" <Record type=\"\(type)\" sourceName=\"Broken ")
            out.byte(0xC3)
            line("(name\" \(rest(240)) value=\"103\"/>", to: out)
        case .missingStartDate: line(" <Record \(head) endDate=\"\(date(360))\" value=\"104\"/>", to: out)
        case .missingType: line(" <Record sourceName=\"Pacer\" \(rest(480)) value=\"105\"/>", to: out)
        case .unparsableDate:
            line(" <Record \(head) startDate=\"yesterday\" endDate=\"\(date(600))\" value=\"106\"/>", to: out)
        case .unparsableCreationDate:
            line(
                " <Record type=\"\(type)\" sourceName=\"Pacer\" unit=\"count\" creationDate=\"2025-13-77\" startDate=\"\(date(700))\" endDate=\"\(date(720))\" value=\"107\"/>",
                to: out)
        case .unknownElement:
            line(" <Record type=\"\(type)\" sourceName=\"Pacer\" mood=\"fine\" \(rest(840)) value=\"108\"/>", to: out)
            line(" <StateOfMind kind=\"daily\" valence=\"0.4\">", to: out)
            line("  calm &amp; curious", to: out)
            line("  <Label name=\"calm\"/>", to: out)
            line(" </StateOfMind>", to: out)
        case .workoutZones:
            line(
                " <Workout workoutActivityType=\"HKWorkoutActivityTypeRowing\" duration=\"10\" durationUnit=\"min\" sourceName=\"Pacer\" creationDate=\"\(date(3600))\" startDate=\"\(date(1200))\" endDate=\"\(date(1800))\">",
                to: out)
            line(
                "  <WorkoutZoneGroup type=\"HKQuantityTypeIdentifierHeartRate\" source=\"automatic\" unit=\"count/min\">",
                to: out)
            line("   <WorkoutZone minimum=\"0\" maximum=\"128\" duration=\"7.5\" durationUnit=\"min\"/>", to: out)
            line("   <WorkoutZone minimum=\"128\" duration=\"2.5\" durationUnit=\"min\"/>", to: out)
            line("  </WorkoutZoneGroup>", to: out)
            line(" </Workout>", to: out)
        case .deepNesting: nested(10_000, to: out)
        case .manyAttributes:
            out.text(" <Record type=\"\(type)\" sourceName=\"Pacer\"")
            for number in 0..<200_000 { out.text(" a\(number)=\"\(number)\"") }
            line(" \(rest(960)) value=\"109\"/>", to: out)
        case .manyMetadata:
            line(" <Record \(head) startDate=\"\(date(1080))\" endDate=\"\(date(1090))\" value=\"110\">", to: out)
            for number in 0..<100_000 { line("  <MetadataEntry key=\"k\(number)\" value=\"v\(number)\"/>", to: out) }
            line(" </Record>", to: out)
        case .oddOffsets, .oddDates: odd(kind, to: out)
        case .iOS8Records:
            line(
                " <Record type=\"\(type)\" source=\"Pacer\" unit=\"count\" startDate=\"20140107104300-0800\" endDate=\"20140107114300-0800\" value=\"1180\" recordCount=\"12\"/>",
                to: out)
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
            line(" <Record \(head) startDate=\"\(pair.0)\" endDate=\"\(pair.1)\" value=\"\(200 + number)\"/>", to: out)
        }
    }

    private func nested(_ depth: Int, to out: OutputBuffer) {
        out.text(" ")
        for _ in 0..<depth { out.text("<Deep>") }
        for _ in 0..<depth { out.text("</Deep>") }
        out.newline()
    }

    private func line(_ text: String, to out: OutputBuffer) {
        out.text(text)
        out.newline()
    }

    /// An instant near the export, printed with its offset.
    private func date(_ seconds: Int) -> String {
        var result: [UInt8] = []
        let buffer = OutputBuffer { result += $0 }
        buffer.date(dump.exportDate - 7200 + seconds, offsetSeconds: dump.offsetSeconds)
        do { try buffer.flush() } catch { return "" }
        return String(decoding: result, as: UTF8.self)
    }
}
