import Foundation
import Testing
import TestSupport

/// Items whose types look like those of another kind: the stored kind decides what they are.
@Suite("Stored kinds", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct StoredKindTests {
    private static let body = """
         <Me HKDataTypeIdentifierElectrocardiogram="a" HKWorkoutRouteTypeIdentifier="b" \
        HKActivitySummaryTypeIdentifier="c" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
         <VisionPrescription type="ClinicalRecord/x" dateIssued="2024-04-20 08:00:00 +0200"/>

        """

    @Test func decideHowItemsAreListedAndExported() throws {
        let sandbox = try Sandbox()
        let export = Inputs.export("2024-05-01 10:00:00 +0200", Self.body + Inputs.heartRates(60..<63))
        let digest = try stateDigest(of: sandbox.write(export, to: "export.xml"), in: sandbox)
        try sandbox.run("check", "--deep").expecting(0)
        let records = try sandbox.run("records", "--at", "latest", "--json").expecting(0).objects()
        func record(_ type: String) throws -> [String: Any] {
            try #require(records.first { $0["type"] as? String == type })
        }
        let prescription = try record("ClinicalRecord/x")["attributes"] as? [String: Any]
        #expect(prescription?["dateIssued"] as? String == "2024-04-20T06:00:00.000Z")
        #expect(prescription?["identifier"] == nil)
        for (type, value) in [
            ("HKDataTypeIdentifierElectrocardiogram", "a"), ("HKWorkoutRouteTypeIdentifier", "b"),
            ("HKActivitySummaryTypeIdentifier", "c"),
        ] {
            let characteristic = try record(type)
            #expect(characteristic["value"] as? String == value && characteristic["attributes"] == nil)
        }
        let output = sandbox.path("again.zip")
        try sandbox.run("export", "xml", "--zip", "--at", "latest", "--output", output).expecting(0)
        sandbox.archive = sandbox.path("archive/second.sqlite")
        #expect(try stateDigest(of: output, in: sandbox) == digest)
    }

    private func stateDigest(of path: String, in sandbox: Sandbox) throws -> String? {
        let answer = try sandbox.run("import", path, "--json").expecting(0).object()
        return (answer["observation"] as? [String: Any])?["stateDigest"] as? String
    }
}
