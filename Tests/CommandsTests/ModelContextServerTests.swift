import Basics
@testable import Commands
import Testing

/// The messages of the Model Context Protocol, as its specification of 2026-07-28 and those of 2025-11-25 and 2025-06-18
/// have them.
@Suite("Model Context Protocol")
struct ModelContextServerTests {
    private static let tool: JSON = ["name": "timeline", "inputSchema": ["type": "object"]]

    private var server = ModelContextServer(tools: [tool], instructions: "Ask.")

    private mutating func reply(_ line: String) throws -> JSON {
        guard case .reply(let message) = server.react(to: Array(line.utf8)) else {
            throw Surprise()
        }
        #expect(message["jsonrpc"] == "2.0")
        return message
    }

    private struct Surprise: Error {}

    private mutating func error(_ line: String) throws -> Int64? { try reply(line)["error"]?["code"]?.int }

    private mutating func initialize(_ version: String) throws -> JSON? {
        try reply(
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\#(version)","capabilities":{}}}"#
        )["result"]
    }

    private static let meta =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

    @Test("a version that is known is agreed to; for any other the newest of those that begin with initialize")
    func versions() throws {
        for (asked, agreed) in [
            ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2025-11-25"),
            ("x", "2025-11-25"),
        ] {
            var server = self
            let result = try server.initialize(asked)
            #expect(result?["protocolVersion"]?.string == agreed)
            #expect(result?["serverInfo"]?["name"]?.string == "healthprobe")
            #expect(result?["capabilities"]?["tools"] != nil)
            #expect(result?["resultType"] == nil)
        }
    }

    @Test("requests that name the version stand for themselves")
    func modernRequests() throws {
        var server = self
        let found = try server.reply(#"{"jsonrpc":"2.0","id":"a","method":"server/discover","params":{\#(Self.meta)}}"#)
        #expect(found["id"] == "a")
        #expect(
            found["result"]?["supportedVersions"]?.elements.compactMap(\.string)
                == ["2026-07-28", "2025-11-25", "2025-06-18"])
        #expect(found["result"]?["resultType"] == "complete")
        let list = try server.reply(#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{\#(Self.meta)}}"#)
        #expect(list["result"]?["tools"]?.elements.count == 1)
        #expect(list["result"]?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "healthprobe")
        // Removed in this revision.
        #expect(try server.error(#"{"jsonrpc":"2.0","id":3,"method":"ping","params":{\#(Self.meta)}}"#) == -32_601)
    }

    @Test("another version is refused with those that are supported")
    func unsupportedVersion() throws {
        var server = self
        let meta = Self.meta.replacing("2026-07-28", with: "1900-01-01")
        let reply = try server.reply(#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{\#(meta)}}"#)
        #expect(reply["error"]?["code"]?.int == -32_022)
        #expect(reply["error"]?["data"]?["requested"] == "1900-01-01")
        #expect(reply["error"]?["data"]?["supported"]?.elements.first == "2026-07-28")
    }

    @Test(
        "what is no message is refused with the code of JSON-RPC",
        arguments: [
            ("{", -32_700), ("[1,2]", -32_600), (#"{"id":1,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600), (#"{"jsonrpc":"2.0","id":1}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":[]}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, -32_602),
        ])
    func refusals(line: String, code: Int64) throws {
        var server = self
        #expect(try server.error(line) == code)
    }

    @Test("after initialize: ping, the list, unknown methods, tools and cursors")
    func session() throws {
        var server = self
        _ = try server.initialize("2025-11-25")
        #expect(try server.reply(#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)["result"] == .object([]))
        let list = try server.reply(#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#)
        #expect(list["result"]?["tools"]?.elements.first?["name"] == "timeline")
        #expect(list["result"]?["resultType"] == nil)
        #expect(try server.error(#"{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"x"}}"#) == -32_602)
        #expect(try server.error(#"{"jsonrpc":"2.0","id":5,"method":"resources/list"}"#) == -32_601)
        #expect(try server.error(#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"x"}}"#) == -32_602)
        #expect(try server.error(#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}"#) == -32_602)
        #expect(
            try server.error(
                #"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"timeline","arguments":[]}}"#)
                == -32_602)
    }

    @Test("notifications are not answered; a cancellation names its request")
    func notifications() {
        var server = self.server
        for line in [
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","method":"x"}"#,
            #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ] {
            guard case .none = server.react(to: Array(line.utf8)) else {
                Issue.record("\(line) is answered")
                continue
            }
        }
        let line = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#
        guard case .cancel(let id) = server.react(to: Array(line.utf8)) else {
            Issue.record("nothing is cancelled")
            return
        }
        #expect(id == 7)
    }

    @Test("results have an object and its text; failures have words alone")
    func results() {
        let found = ToolResult.found(["rows": []]).json
        #expect(found["structuredContent"] == ["rows": []])
        #expect(found["content"]?.elements.first?["text"] == #"{"rows":[]}"#)
        #expect(found["isError"] == false)
        let failed = ToolResult.failed("No.").json
        #expect(failed["isError"] == true)
        #expect(failed["structuredContent"] == nil)
    }
}

/// The list of tools follows from the definitions of answers.
@Suite("Tools of the answers")
struct AnswerToolTests {
    @Test("names are letters and underscores, each once, and every tool says that it only reads")
    func names() {
        let names = AnswerTools.list.compactMap { $0["name"]?.string }
        #expect(Set(names).count == names.count)
        #expect(names.count == AnswerTools.list.count)
        #expect(names.contains("workouts") && names.contains("metrics_daily") && names.contains("diff_records"))
        for tool in AnswerTools.list {
            #expect(tool["name"]?.string?.allSatisfy { $0.isLetter || $0 == "_" } ?? false)
            #expect(tool["annotations"]?["readOnlyHint"] == true)
            #expect(tool["inputSchema"]?["additionalProperties"] == false)
        }
    }

    @Test("no result has more than 1,000 rows")
    func limits() {
        for tool in AnswerTools.list {
            guard let limit = tool["inputSchema"]?["properties"]?["limit"] else { continue }
            #expect(limit["maximum"]?.int == Int64(AnswerTools.mostRows), "\(tool["name"]?.string ?? "")")
        }
    }
}
