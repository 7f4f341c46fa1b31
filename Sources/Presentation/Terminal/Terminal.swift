internal import Foundation
internal import SystemCalls

/// What the process can learn about the terminal behind a file descriptor.
package enum Terminal {
    /// Whether the descriptor (1 is standard output, 2 standard error) is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The columns of the terminal behind the descriptor; `nil` when it is none, or does not say.
    package static func columns(_ descriptor: Int32) -> Int? {
        guard let size = terminalSize(descriptor), size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
