import HealthModel

/// Calls `body` with the text's UTF-8 bytes.
func withView<Result>(_ text: String, _ body: (ByteView) -> Result) -> Result {
    let buffer = ByteBuffer(capacity: 64)
    buffer.append(text)
    return withExtendedLifetime(buffer) { body(ByteView(buffer.base, buffer.count)) }
}

func number(_ text: String) -> CanonicalNumber? { withView(text) { CanonicalNumber($0) } }
