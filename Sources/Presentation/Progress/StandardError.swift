import Foundation

/// Text to standard error, whole and at once.
package enum StandardError {
    /// Writes the text. That nobody may be listening is no reason to stop: what fails to be written is dropped.
    package static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = Foundation.write(2, Array(rest), rest.count)
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if written == 0 || errno != EINTR {
                return
            }
        }
    }
}
