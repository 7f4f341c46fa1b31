import Testing
import TestSupport

/// Expects a command to have failed as `--json` promises: exit code, nothing on standard output, and the error as JSON.
func expectFailure(
    _ answer: Answer, _ status: Int32, code: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(
        answer.status == status, "\(answer.command): exit \(answer.status)\n\(answer.errorText)",
        sourceLocation: sourceLocation)
    #expect(answer.output.isEmpty, "\(answer.command): \(answer.outputText)", sourceLocation: sourceLocation)
    let failure = try #require(
        answer.failure(), "\(answer.command): no error as JSON\n\(answer.errorText)", sourceLocation: sourceLocation)
    for name in ["code", "message", "hint"] {
        #expect((failure[name] as? String)?.isEmpty == false, "\(failure)", sourceLocation: sourceLocation)
    }
    if let code { #expect(failure["code"] as? String == code, "\(failure)", sourceLocation: sourceLocation) }
}

/// The first control character beside the line feed, C1 included.
func controlCharacter(in text: String) -> String? {
    text.unicodeScalars.first { ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) }
        .map { "U+" + String($0.value, radix: 16) }
}
