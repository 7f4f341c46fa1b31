internal import Basics
internal import HealthModel

/// A server of the Model Context Protocol, without its transport: messages of JSON-RPC 2.0 in, replies out.
///
/// It speaks the revision of 2026-07-28, in which each request names its version, and those of 2025-11-25 and 2025-06-18,
/// which begin with `initialize` (modelcontextprotocol.io/specification). It has tools and nothing else.
struct ModelContextServer {
    /// What is done about a message.
    enum Reaction {
        /// Nothing is answered: it was a notification, or an answer that nobody waits for.
        case none
        case reply(JSON)
        /// A tool is to be called; the answer is `reply` with its result.
        case call(Call)
        /// The client no longer waits for the answer to a request.
        case cancel(JSON)
    }

    /// A request for a tool.
    struct Call: Sendable {
        let id: JSON
        let tool: String
        let arguments: JSON
        fileprivate let isModern: Bool

        /// The message with a tool's result.
        func reply(_ result: ToolResult) -> JSON {
            ModelContextServer.reply(id, result.json, isModern: isModern)
        }
    }

    /// The codes of JSON-RPC, and the one that the protocol adds for versions.
    private enum Code: Int {
        case parseError = -32_700, invalidRequest = -32_600, unknownMethod = -32_601, invalidParameters = -32_602
        case unsupportedVersion = -32_022
    }

    private struct Refusal: Error {
        let code: Code
        let message: String
        var data: JSON?
    }

    /// The revision in which requests stand for themselves.
    private static let modern = "2026-07-28"
    /// Those that begin with `initialize`, the newest first.
    private static let legacy = ["2025-11-25", "2025-06-18"]
    /// The longest message that is read, in bytes.
    static let longestMessage = 4 << 20

    /// What `tools/list` shows.
    let tools: [JSON]
    /// What models are told about all tools.
    let instructions: String
    /// Whether `initialize` was answered.
    private var isInitialized = false

    init(tools: [JSON], instructions: String) { (self.tools, self.instructions) = (tools, instructions) }

    /// Reads a message and says what is done about it.
    mutating func react(to line: [UInt8]) -> Reaction {
        guard line.count <= Self.longestMessage else {
            return .reply(Self.error(.null, Refusal(code: .invalidRequest, message: "The message is too long.")))
        }
        guard let message = try? JSON.document(line, maximumDepth: 64) else {
            return .reply(Self.error(.null, Refusal(code: .parseError, message: "The message is not JSON.")))
        }
        // A request without a usable id cannot be answered under it.
        var id = JSON.null
        if let given = message["id"], given.string != nil || given.int != nil { id = given }
        do {
            return try react(to: message, id)
        } catch let refusal as Refusal {
            return .reply(Self.error(id, refusal))
        } catch {
            return .none
        }
    }

    private mutating func react(to message: JSON, _ id: JSON) throws -> Reaction {
        guard case .object = message, message["jsonrpc"]?.string == "2.0" else {
            throw Refusal(code: .invalidRequest, message: "A message is one object of JSON-RPC 2.0.")
        }
        guard let method = message["method"]?.string else {
            // The server asks for nothing, so an answer is for somebody else.
            if message["result"] != nil || message["error"] != nil { return .none }
            throw Refusal(code: .invalidRequest, message: "The message has no method.")
        }
        let parameters = message["params"] ?? .object([])
        guard message["id"] != nil else {
            guard method == "notifications/cancelled", let request = parameters["requestId"] else { return .none }
            return .cancel(request)
        }
        guard id != .null else {
            throw Refusal(code: .invalidRequest, message: "An id is a text or a whole number.")
        }
        guard case .object = parameters else {
            throw Refusal(code: .invalidParameters, message: "params is an object.")
        }
        if method == "initialize" { return .reply(try initialize(id, parameters)) }
        let version = parameters["_meta"]?["io.modelcontextprotocol/protocolVersion"]
        if let version { try Self.check(version, parameters) }
        switch (method, version != nil) {
        case ("ping", false): return .reply(Self.reply(id, .object([]), isModern: false))
        case ("server/discover", true): return .reply(Self.reply(id, discovered, isModern: true))
        case (_, false) where !isInitialized:
            throw Refusal(
                code: .invalidParameters,
                message: "Send initialize first, or name the version in _meta: \(Self.modern).")
        case ("tools/list", let isModern):
            guard parameters["cursor"]?.string == nil else {
                throw Refusal(code: .invalidParameters, message: "There is no such cursor: the list has one page.")
            }
            return .reply(Self.reply(id, list(isModern: isModern), isModern: isModern))
        case ("tools/call", let isModern): return .call(try call(id, parameters, isModern: isModern))
        default: throw Refusal(code: .unknownMethod, message: "There is no method of this name.")
        }
    }

    /// Checks what a request that stands for itself has to say.
    private static func check(_ version: JSON, _ parameters: JSON) throws {
        guard version.string == modern else {
            throw Refusal(
                code: .unsupportedVersion, message: "Unsupported protocol version",
                data: ["supported": .array(([modern] + legacy).map { .string($0) }), "requested": version])
        }
        guard case .object? = parameters["_meta"]?["io.modelcontextprotocol/clientCapabilities"] else {
            throw Refusal(code: .invalidParameters, message: "_meta lacks the capabilities of the client.")
        }
    }

    private mutating func initialize(_ id: JSON, _ parameters: JSON) throws -> JSON {
        guard let version = parameters["protocolVersion"]?.string else {
            throw Refusal(code: .invalidParameters, message: "protocolVersion is missing.")
        }
        isInitialized = true
        let agreed = Self.legacy.contains(version) ? version : Self.legacy[0]
        let result: JSON = [
            "protocolVersion": .string(agreed), "capabilities": Self.capabilities, "serverInfo": Self.about,
            "instructions": .string(instructions),
        ]
        return Self.reply(id, result, isModern: false)
    }

    private var discovered: JSON {
        [
            "supportedVersions": .array(([Self.modern] + Self.legacy).map { .string($0) }),
            "capabilities": Self.capabilities, "instructions": .string(instructions), "ttlMs": 3_600_000,
            "cacheScope": "public",
        ]
    }

    private func list(isModern: Bool) -> JSON {
        let list: JSON = ["tools": .array(tools)]
        return isModern ? list.adding(["ttlMs": 3_600_000, "cacheScope": "public"]) : list
    }

    private func call(_ id: JSON, _ parameters: JSON, isModern: Bool) throws -> Call {
        guard let name = parameters["name"]?.string else {
            throw Refusal(code: .invalidParameters, message: "A tool is called by its name.")
        }
        guard tools.contains(where: { $0["name"]?.string == name }) else {
            throw Refusal(code: .invalidParameters, message: "Unknown tool: \(name.prefix(128))")
        }
        let arguments = parameters["arguments"] ?? .object([])
        guard case .object = arguments else {
            throw Refusal(code: .invalidParameters, message: "arguments is an object.")
        }
        return Call(id: id, tool: name, arguments: arguments, isModern: isModern)
    }

    private static let capabilities: JSON = ["tools": ["listChanged": false]]

    private static let about: JSON = [
        "name": "healthprobe", "title": "HealthProbe",
        "version": .string(HealthModel.program.split(separator: " ").last.map(String.init) ?? ""),
    ]

    private static func reply(_ id: JSON, _ result: JSON, isModern: Bool) -> JSON {
        var result = result
        if isModern {
            result = JSON.object([("resultType", "complete")]).adding(result.members)
                .adding(["_meta": JSON.object([("io.modelcontextprotocol/serverInfo", about)])])
        }
        return ["jsonrpc": "2.0", "id": id, "result": result]
    }

    private static func error(_ id: JSON, _ refusal: Refusal) -> JSON {
        var error: JSON = ["code": .int(refusal.code.rawValue), "message": .string(refusal.message)]
        if let data = refusal.data { error = error.adding(["data": data]) }
        return ["jsonrpc": "2.0", "id": id, "error": error]
    }
}

/// What a tool has found, or why it has not.
enum ToolResult: Sendable {
    /// An object.
    case found(JSON)
    /// What is wrong and what to do, in words that a model can act on.
    case failed(String)

    var json: JSON {
        switch self {
        case .found(let value):
            [
                "content": [["type": "text", "text": .string(value.line)]], "structuredContent": value,
                "isError": false,
            ]
        case .failed(let message): ["content": [["type": "text", "text": .string(message)]], "isError": true]
        }
    }
}
