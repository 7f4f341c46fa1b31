import ExportReading
import Foundation
import HealthModel
import Testing

/// One vector: an item as printed and what follows from it.
struct IdentityVector: Sendable, CustomTestStringConvertible {
    var name: String
    var format: String
    var text: String
    var key: String
    var payload: String
    var identity: String
    var version: String
    var testDescription: String { name }

    static let all: [IdentityVector] = {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/identity.md")
        guard let text = try? String(contentsOf: page, encoding: .utf8) else { return [] }
        let form =
            #/(?s)\n### ([^\n]*)\n.*?```(xml|csv)\n(.*?)\n```\n```json\n(.*?)\n```\n```json\n(.*?)\n```\n- identity `(\w+)`\n- version `(\w+)`/#
        return text.matches(of: form).map {
            IdentityVector(
                name: String($0.1), format: String($0.2), text: String($0.3), key: String($0.4), payload: String($0.5),
                identity: String($0.6), version: String($0.7))
        }
    }()
}

/// The worked vectors of `docs/identity.md`, read from that page itself.
struct VectorTests {
    @Test func everyKindHasOne() { #expect(IdentityVector.all.count == 14) }

    @Test(arguments: IdentityVector.all)
    func agrees(vector: IdentityVector) throws {
        let items =
            vector.format == "csv" ? try electrocardiogram(vector.text) : try readExport(items: vector.text).items
        // A route's vector has the workout around it.
        let item = try #require(vector.name == "WorkoutRoute" ? items.last : items.first)
        if let key = item.strictKey { #expect(key == vector.key) }
        #expect(ItemHash.identity(strictKey: vector.key).hex == vector.identity)
        #expect(ItemHash.version(payload: vector.payload).hex == vector.version)
        #expect(item.identity == vector.identity)
        #expect(item.version == vector.version)
    }

    private func electrocardiogram(_ text: String) throws -> [ReadItem] {
        let folder = try TemporaryFolder()
        try folder.write("export.xml", document(""))
        try folder.write("electrocardiograms/ecg.csv", text)
        var collector = PageCollector()
        try ExportReader(try ExportContainer(path: folder.path))
            .readElectrocardiograms(exportOffset: 7200) { collector.take($0) }
        return collector.result.items
    }
}
