import Presentation
import Testing
import TestSupport
import Web

@Suite("Addresses")
struct AddressTests {
    /// Every page and form with random values of all its parameters.
    @Test func readingWhatWasBuiltIsTheSame() throws {
        var random = SeededGenerator(seed: 14)
        for page in Page.allCases {
            for form in [.page] + page.twins {
                for _ in 0..<20 {
                    let parameters =
                        (form == .page
                        ? page.parameters + [.timeZone]
                        : page.parameters.filter { !page.looks.contains($0) }).shuffled(using: &random)
                    let given = parameters.filter { _ in Bool.random(using: &random) }.map { parameter in
                        Request.Parameter(parameter.rawValue, Self.value(parameter, &random))
                    }
                    let path = Self.path(page, form).replacing(
                        "/ID", with: "/\(Int.random(in: 1...99, using: &random))")
                    let address = try Address(path: path, given)
                    let (again, query) = Self.split(address.text)
                    #expect(again == path)
                    #expect(try Address(path: again, #require(PercentEncoding.pairs(query))) == address)
                    #expect(!address.text.contains("//") && !address.text.contains("\\"))
                }
            }
        }
    }

    @Test(arguments: [
        "", "timeline", "//timeline", "/timeline/", "/Timeline", "/timeline.csv", "/timeline.json.json", "/..",
        "/show/3", "/timeline.page", "/jobs/ID", "/jobs/", "/jobs/1/", "/jobs/-1", "/jobs/1234567890", "/jobs/1.csv",
    ])
    func otherPathsAreRefused(path: String) {
        #expect(throws: WebError.self) { try Address(path: path, []) }
    }

    /// A misspelt filter must not show everything.
    @Test func unknownParametersAreRefused() {
        for page in Page.allCases {
            for name in ["sinse", "TYPE", "at2", "", "token"] {
                #expect(throws: WebError.self, "\(page) \(name)") {
                    try Address(path: "/\(page.rawValue)", [.init(name, "1")])
                }
            }
        }
    }

    @Test func repeatedValuesAndOtherFlagsAreRefused() throws {
        #expect(throws: WebError.self) { try Address(path: "/show", [.init("at", "1"), .init("at", "2")]) }
        #expect(throws: WebError.self) { try Address(path: "/timeline", [.init("all", "yes")]) }
        #expect(throws: WebError.self) { try Address(path: "/timeline.json", [.init("time-zone", "UTC")]) }
        #expect(throws: WebError.self) { try Address(path: "/records", [.init("type", "StepCount\0x")]) }
        let two = try Address(path: "/records", [.init("type", "A"), .init("type", "B"), .init("source", "")])
        #expect(two.text == "/records?type=A&type=B")
    }

    @Test func queriesAreDecoded() {
        let pairs = PercentEncoding.pairs("a=1&b=%C3%A4+c&d&e=%2526")
        #expect(pairs == [.init("a", "1"), .init("b", "ä c"), .init("d", ""), .init("e", "%26")])
        #expect(PercentEncoding.pairs("a=%G1") == nil && PercentEncoding.pairs("a=%FF") == nil)
    }

    @Test func linksOfDocumentsBecomeAddresses() {
        #expect(
            Address(Document.Link("records", ["at": "3", "type": nil, "source": "A&B"]))?.text
                == "/records?at=3&source=A%26B")
        #expect(Address(Document.Link("nothing")) == nil)
    }

    private static func path(_ page: Page, _ form: Page.Form) -> String {
        page == .home && form == .page ? "/" : "/\(page.rawValue)" + (form == .page ? "" : "." + form.rawValue)
    }

    static func split(_ url: String) -> (path: String, query: String) {
        let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
        return (parts[0], parts.count == 2 ? parts[1] : "")
    }

    private static func value(_ parameter: Parameter, _ random: inout SeededGenerator) -> String {
        if [.all, .through, .totals, .fillCreationDates].contains(parameter) { return "1" }
        let letters = [
            "a", "Z", "9", " ", "&", "=", "%", "+", "?", "#", "/", "\\", "ä", "\u{202E}", "\n", "日", "\"", "<",
        ]
        return (0..<Int.random(in: 1...9, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
            .joined()
    }
}
