internal import SystemCalls
internal import TextFormats

/// Text to standard error, whole and at once.
package enum StandardError {
    /// Writes the text. That nobody may be listening is no reason to stop: what fails to be written is dropped.
    package static func write(_ text: String) {
        text.withByteView { _ = writeAll($0, to: 2) }
    }
}
