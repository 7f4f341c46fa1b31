import ExportReading
import Foundation
import Testing

/// The DOCTYPE is blanked, so that no entity is declared: an attack ends the document at its first use, at once.
@Suite(.timeLimit(.minutes(2)))
struct EntityAttackTests {
    static let laughs: String = {
        var out = "<!DOCTYPE HealthData [\n<!ENTITY l0 \"lol\">\n"
        for level in 1...40 {
            out += "<!ENTITY l\(level) \"" + String(repeating: "&l\(level - 1);", count: 10) + "\">\n"
        }
        return out + "]>\n"
    }()

    @Test(arguments: ["<Note>&l40;</Note>", "<Note a=\"&l40;\"/>"], ["", "<!-- <HealthData > -->\n", "<!-- x -->"])
    func billionLaughs(use: String, before: String) throws {
        let start = ContinuousClock.now
        let read = try readExport(xml: before + Self.laughs + "<HealthData><Ok/>\(use)</HealthData>")
        #expect(!read.document.isComplete)
        #expect(read.items.map(\.type) == ["Element/Ok"])
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func filesAreNotRead() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write("secret.txt", "top secret")
        let declarations = [
            "<!DOCTYPE HealthData [<!ENTITY x SYSTEM \"file://\(secret)\">]>",
            "<!DOCTYPE HealthData SYSTEM \"file://\(secret)\">",
            "<!DOCTYPE HealthData [<!ENTITY % p SYSTEM \"file://\(secret)\"> %p;]>",
            "<!DOCTYPE HealthData [<!ENTITY x \"internal\">]>", "",
        ]
        for declaration in declarations {
            for use in ["<Note>&x;</Note>", "<Note a=\"&x;\"/>"] {
                let read = try readExport(xml: declaration + "<HealthData>\n\(use)</HealthData>")
                #expect(read.stop == "xml:26" || read.stop == "xml:27", "\(declaration) \(use)")
                #expect(read.document.header.stop?.line == 2)
                #expect(read.items.isEmpty)
            }
        }
    }

    @Test func documentTypesBehindTheRootEndTheDocument() throws {
        let read = try readExport(xml: "<HealthData><Ok/>" + Self.laughs + "<Note>&l40;</Note></HealthData>")
        #expect(!read.document.isComplete)
        #expect(read.items.map(\.type) == ["Element/Ok"])
    }

    @Test func predefinedEntitiesAreText() throws {
        let read = try readExport(items: "<Note a=\"&lt;&amp;&gt;&quot;&apos;&#x41;&#10;\">&#233;&lt;</Note>")
        #expect(read.items.first?.strictKey == "[\"Note\",{\"a\":\"<&>\\\"'A\\n\"}]")
        #expect(read.items.first?.extras == "{\"text\":\"é<\"}")
    }
}
