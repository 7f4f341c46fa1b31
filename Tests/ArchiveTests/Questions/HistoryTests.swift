internal import ArchiveTestSupport
internal import Testing

/// What successive exports make of an archive; every step is followed by a deep check.
@Suite struct HistoryTests {
    @Test func firstImportThenUnchanged() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<20)))
        #expect(try archive.changes(1) == [20, 0, 0])
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<20)))
        #expect(try archive.changes(2) == [0, 0, 0])
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [20])
        #expect(try archive.row("SELECT visible_count, read_count FROM type_runs WHERE import_id = 2") == [20, 20])
    }

    @Test func appearedDisappearedChanged() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<20)))
        let changed = TestRecord.steps(5..<10) { $0.metadata = [("HKWasUserEntered", "1")] }
        try archive.add(TestExport(day: 2, changed + TestRecord.steps(10..<25)))
        #expect(try archive.changes(2) == [5, 5, 5])
        #expect(
            try archive.texts("SELECT evidence || changed_fields FROM type_runs WHERE import_id = 2")
                == ["{\"strictKey\":5}{\"metadata\":5}"])
        #expect(
            try archive.row("SELECT count(*) FROM record_versions WHERE closed_observation_id = 2 AND superseded = 1")
                == [5])
    }

    @Test(arguments: [0, 3, 700])
    func twoCopiesThenOneThenThree(others: Int) throws {
        let archive = try TestArchive()
        let rest = TestRecord.steps(100..<(100 + others))
        let one = TestRecord(value: "7").xml
        try archive.add(TestExport(day: 1, [one, one] + rest))
        try archive.add(TestExport(day: 2, rest + [one]))
        #expect(try archive.changes(2) == [0, 1, 0])
        try archive.add(TestExport(day: 3, [one] + rest + [one, one]))
        #expect(try archive.changes(3) == [2, 0, 0])
        #expect(try archive.row("SELECT count(*), sum(ordinal) FROM record_versions WHERE ordinal > 0") == [2, 3])
        #expect(try archive.row("SELECT count(*) FROM past_ranges") == [1])
    }

    @Test func reappearance() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<10)))
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<5)))
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<10)))
        try archive.add(TestExport(day: 4, TestRecord.steps(0..<4)))
        try archive.add(TestExport(day: 5, TestRecord.steps(0..<10)))
        #expect(try archive.changes(5) == [6, 0, 0])
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [10])
        #expect(try archive.row("SELECT count(*) FROM past_ranges") == [11])
    }

    @Test func renamedSource() throws {
        let archive = try TestArchive()
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<20)))
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<22) { $0.source = "My Watch" }))
        #expect(try archive.changes(2) == [2, 0, 20])
        #expect(
            try archive.texts("SELECT changed_fields FROM type_runs WHERE import_id = 2") == ["{\"sourceName\":20}"])
        try archive.add(TestExport(day: 3, TestRecord.steps(0..<22)))
        #expect(try archive.changes(3) == [2, 2, 20].map { $0 == 2 ? 0 : 22 })
    }

    @Test func unitSwitch() throws {
        let archive = try TestArchive()
        func weights(_ unit: String, _ value: (Int) -> String) -> [String] {
            (0..<6).map {
                TestRecord(type: "HKQuantityTypeIdentifierBodyMass", minute: $0, value: value($0), unit: unit).xml
            }
        }
        let kilograms = weights("kg") { "\(70 + $0)" }
        let pounds = weights("lb") { ["154.324", "156.528", "158.733", "160.937", "163.142", "165.347"][$0] }
        try archive.add(TestExport(day: 1, kilograms))
        try archive.add(TestExport(day: 2, pounds))
        #expect(try archive.changes(2) == [0, 0, 6])
        #expect(try archive.texts("SELECT evidence FROM type_runs WHERE import_id = 2") == ["{\"unitConversion\":6}"])
        try archive.add(TestExport(day: 3, kilograms))
        #expect(try archive.changes(3) == [0, 0, 6])
        #expect(try archive.row("SELECT count(*) FROM past_ranges") == [6])
    }

    @Test func syncIdentifierAndExternalUUID() throws {
        let archive = try TestArchive()
        let sync = { (value: String, minute: Int) in
            TestRecord(minute: minute, value: value, metadata: [("HKMetadataKeySyncIdentifier", "day-1")]).xml
        }
        let external = { (value: String) in TestRecord(minute: 9, value: value, metadata: [("HKExternalUUID", "e")]).xml
        }
        try archive.add(TestExport(day: 1, [sync("100", 1), external("5")]))
        try archive.add(TestExport(day: 2, [sync("200", 2), external("6")]))
        #expect(try archive.changes(2) == [0, 0, 2])
        #expect(
            try archive.texts("SELECT evidence FROM type_runs WHERE import_id = 2")
                == ["{\"externalUUID\":1,\"syncIdentifier\":1}"])
    }

    @Test func sleepSynonyms() throws {
        let archive = try TestArchive()
        func sleep(_ value: String) -> String {
            TestRecord(type: "HKCategoryTypeIdentifierSleepAnalysis", value: value, unit: nil).xml
        }
        try archive.add(TestExport(day: 1, [sleep("HKCategoryValueSleepAnalysisAsleep")]))
        try archive.add(TestExport(day: 2, [sleep("HKCategoryValueSleepAnalysisAsleepUnspecified")]))
        #expect(try archive.texts("SELECT evidence FROM type_runs WHERE import_id = 2") == ["{\"valueSynonym\":1}"])
    }

    @Test func severalVersionsOfOneSample() throws {
        let archive = try TestArchive()
        func versions(_ sources: [String]) -> [String] {
            sources.map { source in TestRecord(source: source).xml }
        }
        try archive.add(TestExport(day: 1, versions(["A", "B", "C"]) + TestRecord.steps(5..<8) { $0.source = "D" }))
        try archive.add(
            TestExport(day: 2, versions(["A", "X", "C", "Y"]) + TestRecord.steps(5..<8) { $0.source = "D" }))
        #expect(try archive.changes(2) == [1, 0, 1])
        try archive.add(TestExport(day: 3, versions(["B", "B", "Y"]) + TestRecord.steps(5..<8) { $0.source = "D" }))
        #expect(try archive.changes(3) == [0, 1, 2])
    }

    @Test func correlationsAndNestedRecords() throws {
        let archive = try TestArchive()
        let high = TestRecord(type: "HKQuantityTypeIdentifierBloodPressureSystolic", value: "120", unit: "mmHg").xml
        let low = TestRecord(type: "HKQuantityTypeIdentifierBloodPressureDiastolic", value: "80", unit: "mmHg").xml
        let pair = """
            <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" \
            creationDate="\(TestRecord.time(5))" startDate="\(TestRecord.time(0))" endDate="\(TestRecord.time(1))">\
            \(high)\(low)</Correlation>
            """
        try archive.add(TestExport(day: 1, [high, low, pair]))
        #expect(try archive.row("SELECT count(*) FROM record_versions") == [3])
        #expect(try archive.row("SELECT count(*) FROM relationships WHERE kind = 'member'") == [2])
        try archive.add(TestExport(day: 2, [pair, high]))
        #expect(try archive.changes(2) == [0, 0, 0])
    }

    @Test func everyKindOfItem() throws {
        let archive = try TestArchive()
        let dates = "startDate=\"\(TestRecord.time(0))\" endDate=\"\(TestRecord.time(30))\""
        let items = [
            "<Me HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexFemale\"/>",
            "<ActivitySummary dateComponents=\"2024-01-01\" activeEnergyBurned=\"321\"/>",
            "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"30\" sourceName=\"Watch\" \(dates)>"
                + "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"\(TestRecord.time(3))\"/></Workout>",
            "<ClinicalRecord type=\"AllergyIntolerance\" identifier=\"7\" sourceName=\"Clinic\" fhirVersion=\"4.0.1\"/>",
            "<Audiogram type=\"HKDataTypeIdentifierAudiogram\" sourceName=\"A\" \(dates)><SensitivityPoint/></Audiogram>",
            "<VisionPrescription type=\"HKVisionPrescriptionTypeIdentifierGlasses\" dateIssued=\"\(TestRecord.time(0))\"/>",
            "<Novelty colour=\"blue\" at=\"\(TestRecord.time(1))\">text</Novelty>",
            TestRecord(
                value: nil, unit: nil, version: nil, device: nil, metadata: [("k", "v"), ("k", "w"), ("a", "\u{E9}")]
            ).xml,
            TestRecord(minute: 3, value: "1e3").xml, TestRecord(minute: 4, value: "0.10").xml,
            TestRecord(minute: 5, value: "-0").xml, TestRecord(minute: 6, value: "").xml,
        ]
        try archive.add(TestExport(day: 1, items))
        try archive.add(TestExport(day: 2, items.reversed()))
        #expect(try archive.changes(2) == [0, 0, 0])
        try archive.add(TestExport(day: 3, Array(items.dropFirst(3))))
        #expect(try archive.changes(3) == [0, 3, 0])
        #expect(try archive.row("SELECT count(*) FROM type_runs WHERE import_id = 3 AND status = 'absent'") == [3])
    }

    @Test func quarantine() throws {
        let archive = try TestArchive()
        let broken = "<Record type=\"HKQuantityTypeIdentifierStepCount\" startDate=\"never\" endDate=\"never\"/>"
        try archive.add(TestExport(day: 1, TestRecord.steps(0..<3) + [broken]))
        #expect(try archive.row("SELECT count(*) FROM quarantine") == [1])
        #expect(try archive.texts("SELECT status FROM type_runs") == ["incomplete"])
        try archive.add(TestExport(day: 2, TestRecord.steps(0..<2)))
        #expect(try archive.changes(2) == [0, 1, 0])
    }
}
