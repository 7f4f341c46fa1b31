package import Foundation

/// What a finished process said.
package struct Answer: Sendable {
    /// The exit code, or 128 and the number of the signal.
    package let status: Int32
    package let output: Data
    package let errors: Data
    package let command: String

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }

    /// The lines of standard output as JSON objects.
    ///
    /// - Throws: `TestSupport.Failure` with the first line that is none.
    package func objects() throws -> [[String: Any]] { try Self.objects(output, command) }

    /// The only line of standard output.
    ///
    /// - Throws: `TestSupport.Failure` where there is not exactly one object.
    package func object() throws -> [String: Any] {
        let all = try objects()
        guard all.count == 1, let first = all.first else {
            throw TestSupport.Failure("\(command): \(all.count) lines instead of one\n\(errorText)")
        }
        return first
    }

    /// The last object on standard error with an `error`, as `--json` prints it there.
    package func failure() -> [String: Any]? {
        errors.split(separator: 0x0A).reversed().lazy.compactMap { line -> [String: Any]? in
            let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
            return object?["error"] as? [String: Any]
        }.first
    }

    /// The answer itself, where the process exited as expected.
    ///
    /// - Throws: `TestSupport.Failure` with what it said, where it did not.
    @discardableResult
    package func expecting(_ allowed: Int32...) throws -> Answer { try expecting(allowed) }

    /// The same for a list of exit codes.
    ///
    /// - Throws: as above.
    @discardableResult
    package func expecting(_ allowed: [Int32]) throws -> Answer {
        guard allowed.contains(status) else {
            throw TestSupport.Failure(
                "\(command): exit \(status), expected \(allowed)\n\(errorText.suffix(2000))\n\(outputText.prefix(2000))"
            )
        }
        return self
    }

    private static func objects(_ data: Data, _ command: String) throws -> [[String: Any]] {
        try data.split(separator: 0x0A).map { line in
            guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
                throw TestSupport.Failure(
                    "\(command): no JSON object: \(String(decoding: line.prefix(500), as: UTF8.self))")
            }
            return object
        }
    }
}
