/// A small export with one of everything the reader has to do: repairs, quarantine, unknown content, nesting, text.
enum SampleExport {
    /// Ends with the root's end tag, so that every proper prefix is a truncated document.
    static let bytes: [UInt8] = {
        var out = Array(before.utf8)
        out += Array("<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Z".utf8) + [0x0B, 0xC3, 0x28]
        out += Array(after.utf8)
        while out.last == 0x0A { out.removeLast() }
        return out
    }()

    private static let before = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        <!ELEMENT HealthData (ExportDate,Me,Record*)>
        ]>
        <HealthData locale="ro_RO" extra="ș">
         <ExportDate value="2024-05-01 12:00:00 +0300"/>
         <Me HKCharacteristicTypeIdentifierBloodType="HKBloodTypeAPositive"/>
         <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Ion’s 🩺 &amp; Co" unit="kg" \
        creationDate="2024-04-01 08:00:00 +0300" startDate="2024-04-01 08:00:00 +0300" \
        endDate="2024-04-01 08:00:00 +0300" value="72.50">
          <MetadataEntry key="HKWasUserEntered" value="1"/>
          <MetadataEntry key="Ünïcode" value="漢字&#10;x"/>
         </Record>
         <Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="App" \
        startDate="2024-04-01 08:00:00 +0300" endDate="2024-04-01 08:10:00 +0300" mood="ok">tëxt ünd <b>mehr</b> 字</Record>
         <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="W" unit="ms" \
        startDate="2024-04-02 08:00:00 +0300" endDate="2024-04-02 08:01:00 +0300" value="41.5">
          <HeartRateVariabilityMetadataList>
           <InstantaneousBeatsPerMinute bpm="61" time="8:00:01,10"/>
           <InstantaneousBeatsPerMinute bpm="62" time="8:00:02,08"/>
          </HeartRateVariabilityMetadataList>
         </Record>
         <Record type="HKQuantityTypeIdentifierStepCount" startDate="2024-04-03 08:00:00 +0300" \
        startDate="2024-04-03 08:05:00 +0300" value="12" unit="count"/>
         <Record type="HKQuantityTypeIdentifierStepCount" startDate="2024-04-31 08:00:00 +0300" endDate="x"/>

        """

    private static let after = """
        " startDate="2024-04-04 08:00:00 +0300" endDate="2024-04-04 08:05:00 +0300" value="7e1"/>
         <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="F" \
        startDate="2024-04-04 09:00:00 +0300" endDate="2024-04-04 09:00:00 +0300">
          <MetadataEntry key="HKFoodType" value="Măr"/>
          <Record type="HKQuantityTypeIdentifierDietarySugar" sourceName="F" unit="g" \
        startDate="2024-04-04 09:00:00 +0300" endDate="2024-04-04 09:00:00 +0300" value="9"/>
         </Correlation>
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="50.48292259971301" sourceName="W" \
        startDate="2024-04-05 09:00:00 +0300" endDate="2024-04-05 10:00:00 +0300">
          <MetadataEntry key="HKIndoorWorkout" value="0"/>
          <WorkoutRoute sourceName="W" startDate="2024-04-05 09:00:00 +0300" endDate="2024-04-05 10:00:00 +0300">
           <FileReference path="/workout-routes/r.gpx"/>
          </WorkoutRoute>
          <MetadataEntry key="HKIndoorWorkout" value="0"/>
         </Workout>
         <ActivitySummary dateComponents="2024-04-05" activeEnergyBurned="300"/>
         <StateOfMind valence="0.5"><![CDATA[a < b]]><!-- c --></StateOfMind>
        </HealthData>

        """
}
