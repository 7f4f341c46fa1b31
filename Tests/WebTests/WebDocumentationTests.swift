import Foundation
import Testing
import TestSupport
import Web

@Suite("Documentation of the web interface")
struct WebDocumentationTests {
    static let text =
        (try? String(contentsOf: TestSupport.repository.appendingPathComponent("docs/web.md"), encoding: .utf8)) ?? ""

    @Test func refusalsHaveTheirStatuses() {
        for reason in WebError.Reason.allCases {
            let row = Self.text.split(separator: "\n").first { $0.hasPrefix("| \(reason.status) |") }
            #expect(row?.contains("`\(reason.rawValue)`") ?? false, "\(reason)")
        }
    }

    @Test func pagesHaveTheirParameters() throws {
        for page in Page.allCases {
            let row = try #require(
                Self.text.split(separator: "\n").first { $0.hasPrefix("| `\(Address(page).text)` |") }, "\(page)")
            for parameter in page.parameters {
                #expect(row.contains("`\(parameter.rawValue)`"), "\(page) \(parameter)")
            }
            for twin in page.twins { #expect(row.contains("`.\(twin.rawValue)`"), "\(page) \(twin)") }
        }
    }
}
