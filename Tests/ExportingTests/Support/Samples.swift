/// Elements of exports for tests.
enum Samples {
    /// A step count of a minute of 2024-01-01.
    static func steps(
        _ minute: Int, value: String = "10", source: String = "Alma's Watch", version: String = "10.1",
        created: Int = 5, duration: Int = 1, inner: String = ""
    ) -> String {
        """
        <Record type="HKQuantityTypeIdentifierStepCount" sourceName="\(source)" sourceVersion="\(version)" \
        device="&lt;&lt;HKDevice: 0x1&gt;, name:Alma's Apple Watch, manufacturer:Apple Inc., model:Watch&gt;" unit="count" \
        creationDate="\(time(minute + created))" startDate="\(time(minute))" endDate="\(time(minute + duration))" \
        value="\(value)">\(inner)</Record>
        """
    }

    static func time(_ minute: Int) -> String {
        func two(_ number: Int) -> String { "\(number < 10 ? "0" : "")\(number)" }
        return "2024-01-\(two(1 + minute / 1440)) \(two(minute / 60 % 24)):\(two(minute % 60)):00 +0000"
    }

    static func metadata(_ key: String, _ value: String) -> String {
        #"<MetadataEntry key="\#(key)" value="\#(value)"/>"#
    }

    /// One item of every kind, with names and identifiers of a person who never was.
    static let everything: [String] = [
        #"<Me HKCharacteristicTypeIdentifierDateOfBirth="1980-02-03" HKCharacteristicTypeIdentifierBloodType="HKBloodTypeAPositive"/>"#,
        steps(
            0,
            inner: metadata("HKExternalUUID", "5F3C-EXTERNAL-UUID")
                + metadata("HKMetadataKeySyncIdentifier", "sync-of-alma")
                + metadata("HKWasUserEntered", "1") + metadata("HKDeviceName", "Alma's cuff")
                + metadata("Note of Alma", "seen by Dr. Iris") + metadata("HKTimeZone", "Europe/Bucharest")),
        steps(1, value: "10.50"), steps(1, value: "10.50"),
        #"""
        <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Alma's Watch" creationDate="2024-01-01 03:00:00 +0000" \#
        startDate="2024-01-01 01:00:00 +0000" endDate="2024-01-01 02:00:00 +0000" value="HKCategoryValueSleepAnalysisAsleepREM"/>
        """#,
        #"""
        <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" creationDate="2024-01-01 03:00:00 +0000" \#
        startDate="2024-01-01 03:00:00 +0000" endDate="2024-01-01 03:00:00 +0000">
         <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" \#
        startDate="2024-01-01 03:00:00 +0000" endDate="2024-01-01 03:00:00 +0000" value="120"/>
        </Correlation>
        """#,
        #"""
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30.5" durationUnit="min" sourceName="Alma's Watch" \#
        creationDate="2024-01-01 05:00:00 +0000" startDate="2024-01-01 04:00:00 +0000" endDate="2024-01-01 04:30:00 +0000">
         <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-01-01 04:10:00 +0000"/>
         <WorkoutActivity uuid="ACTIVITY-UUID-OF-ALMA" startDate="2024-01-01 04:00:00 +0000"/>
         <WorkoutRoute sourceName="Alma's Watch" startDate="2024-01-01 04:00:00 +0000" endDate="2024-01-01 04:30:00 +0000"/>
        </Workout>
        """#,
        #"<ClinicalRecord type="Observation" identifier="patient-of-iris" sourceName="Clinic of Iris" sourceURL="https://iris.example/1" fhirVersion="4.0.1"/>"#,
        #"<ActivitySummary dateComponents="2024-01-01" activeEnergyBurned="412.5" activeEnergyBurnedUnit="kcal"/>"#,
        #"<Odd owner="Alma herself">text of Alma</Odd>"#,
    ]

    /// An ECG file of a person who never was.
    static let electrocardiogram = """
        Name,Alma Iris
        Date of Birth,1980-02-03
        Recorded Date,2024-01-01 06:00:00 +0000
        Classification,Sinus Rhythm
        Symptoms,
        Software Version,2.0
        Device,"Watch6,2"
        Sample Rate,512 hertz

        Lead,Lead I
        Unit,µV

        1.5
        -2.25

        """

    /// Words that name the person or somebody around, none of which a reduced export may print.
    static let identifying = [
        "Alma", "Iris", "EXTERNAL-UUID", "sync-of", "ACTIVITY-UUID", "1980-02-03", "APositive", "patient-of", "Cuff",
        "cuff",
    ]
}
