import Foundation
import HealthModel
import Testing

struct EncodingTests {
    private static let body = "<HealthData><Note a=\"Ünï 字\"/></HealthData>"
    private static let key = "[\"Note\",{\"a\":\"Ünï 字\"}]"

    /// The bytes are UTF-8 whatever the declaration says: the byte filter has made them so.
    @Test(arguments: [
        "", "<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "<?xml version='1.0' encoding='UTF-16'?>",
        "<?xml version=\"1.0\" encoding=\"windows-1252\" standalone=\"yes\"?>", "\u{FEFF}",
        "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" encoding=\"no-such\"?>",
        " \r\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "\u{FEFF}\n <?xml version='1.0'\n?><!-- x -->",
        "\n <?xmlish?>",
    ])
    func declarationsMakeNoDifference(declaration: String) throws {
        for size in [1, 2, 3, 5, 1 << 18] {
            let read = try readExport(xml: declaration + Self.body, chunkBytes: size)
            #expect(read.stop == nil, "\(size)")
            #expect(read.items.map(\.strictKey) == [Self.key], "\(size)")
            let end = declaration.utf8.count + Self.body.utf8.count - "</HealthData>".utf8.count
            #expect(read.items.map(\.byteEnd) == [Int64(end)], "\(size)")
        }
    }

    @Test func otherEncodingsAreRefused() throws {
        for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32] {
            let data = try #require(Self.body.data(using: encoding))
            let error = #expect(throws: HealthProbeError.self) { try readExport(xml: Array(data)) }
            #expect(error?.code == .notAHealthExport)
            #expect(error?.message.contains("UTF-16") == true)
        }
    }

    @Test func aDeclarationBehindWhiteSpaceIsARepair() throws {
        let read = try readExport(xml: "\n\n <?xml version=\"1.0\"?>\n<!DOCTYPE HealthData []>\n" + Self.body)
        #expect(read.repairs == ["declarationBlanked:1@3", "doctypeBlanked:1@4"])
        #expect(read.items.map(\.line) == [5])
        #expect(try readExport(xml: "\u{FEFF}<?xml version=\"1.0\"?>" + Self.body).repairs == [])
    }

    @Test(arguments: [
        "", " \n", "garbage", "<HealthDat", "<HealthDataX/>", "<HealthDataX><Record/></HealthDataX>", "PK",
        "<!DOCTYPE HealthData [",
        "<html><HealthData/></html>", "HealthData", "x<HealthData/>", "<ClinicalDocument/>", "\u{0}\u{0}\u{0}\u{0}",
        "<!-- <HealthData> -->", "<!-- <HealthData> --><Root/>", "{\"a\":1}",
    ])
    func whatIsNoExportIsRefused(text: String) throws {
        for size in [1, 1 << 18] {
            let error = #expect(throws: HealthProbeError.self) { try readExport(xml: text, chunkBytes: size) }
            #expect(error?.code == .notAHealthExport)
        }
    }

    @Test func rootMustComeWithinTheFirstMebibyte() throws {
        let comment = "<!--" + String(repeating: "x", count: 1_100_000) + "-->"
        let error = #expect(throws: HealthProbeError.self) { try readExport(xml: comment + Self.body) }
        #expect(error?.code == .notAHealthExport)
    }
}
