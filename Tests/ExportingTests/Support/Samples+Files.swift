internal import Foundation

/// A phone with files beside its XML.
extension Samples {
    /// What a phone of a person who never was would export, and what an app might add to it.
    static let phone =
        everything.map {
            // The route of the workout is the only one that ends so.
            $0.replacingOccurrences(
                of: #"endDate="2024-01-01 04:30:00 +0000"/>"#,
                with: #"""
                    endDate="2024-01-01 04:30:00 +0000"><FileReference path="/workout-routes/home of Alma.gpx"/></WorkoutRoute>
                    """#
            ).replacingOccurrences(
                of: #"fhirVersion="4.0.1""#,
                with: #"fhirVersion="4.0.1" resourceFilePath="/clinical-records/Observation-of-iris.json""#)
        } + [
            #"""
            <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="Alma's Phone" startDate="2024-01-01 12:00:00 +0000" \#
            endDate="2024-01-01 12:00:00 +0000"><MetadataEntry key="HKFoodType" value="porridge"/></Correlation>
            """#,
            #"""
            <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="Alma's Watch" unit="ms" \#
            startDate="2024-01-01 13:00:00 +0000" endDate="2024-01-01 13:01:00 +0000" value="41.50" owner="Alma" \#
            device="worn by Alma" creationDate="when Alma came home"><HeartRateVariabilityMetadataList>\#
            <InstantaneousBeatsPerMinute bpm="61" time="Alma 1:00:00.25 PM"/>\#
            <InstantaneousBeatsPerMinute bpm="62" time="1:00:01.25 PM"/></HeartRateVariabilityMetadataList>\#
            <Élan_Alma note="Alma"><FileReference path="/home/Alma"/></Élan_Alma></Record>
            """#,
            #"<Élan_Alma größe_Alma="175" seen="2024-01-01 10:00:00 +0000"/>"#,
        ]
    /// The files beside it.
    static let files = [
        "electrocardiograms/ecg_of_Alma.csv": electrocardiogram,
        "workout-routes/home of Alma.gpx":
            #"<gpx><trk><trkseg><trkpt lat="51.4778" lon="-0.0014"><ele>46</ele></trkpt></trkseg></trk></gpx>"#,
        "clinical-records/Observation-of-iris.json": #"{"subject":"Alma"}"#, "attachments/letter of Iris.pdf": "seen",
    ]
}
