internal import Basics
internal import Foundation
internal import Synchronization

/// Says how far a long piece of work is: a redrawn line on a terminal, a line every few seconds elsewhere.
///
/// All methods may be called from any thread, and often: most calls only compare two times under a lock.
package final class ProgressReporter: Sendable {
    /// How progress is shown.
    package enum Mode: Sendable, Equatable {
        /// Nothing at all.
        case quiet
        /// One line, redrawn in place.
        case bar
        /// A line every few seconds, for logs and pipes.
        case lines
        /// A line of JSON at each step and twice a second, for the program that started this one.
        case json
    }

    private struct State {
        var label: String
        var startedAt: Double
        var shownAt: Double
        var isDrawn = false
    }

    private static let secondsBetweenRedraws = 0.1
    private static let secondsBetweenLines = 5.0
    private static let secondsBetweenObjects = 0.5
    private static let defaultColumns = 80

    let mode: Mode
    private let now: @Sendable () -> Double
    private let columns: @Sendable () -> Int?
    private let write: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - label: What is being done; it may come from an export.
    ///   - now: Seconds from any fixed moment on, never going back.
    ///   - columns: The terminal's width, asked at every redraw because windows change.
    ///   - write: Takes text for the terminal or the log. It is called under a lock: lines never mix.
    package init(
        label: String, mode: Mode,
        now: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime },
        columns: @escaping @Sendable () -> Int? = { Terminal.columns(2) },
        write: @escaping @Sendable (String) -> Void = StandardError.write
    ) {
        self.mode = mode
        self.now = now
        self.columns = columns
        self.write = write
        let start = now()
        state = Mutex(
            State(
                label: TerminalText.safe(label), startedAt: start,
                shownAt: mode == .bar ? -.infinity : start))
    }

    /// The environment variable that tells a program to end with its standard input, and to write its progress as JSON.
    package static let parentVariable = "HEALTHPROBE_PARENT"

    /// The mode for standard error: a bar on a terminal that can redraw, lines elsewhere, nothing when `quiet`.
    package static func mode(
        quiet: Bool, isTerminal: Bool = Terminal.isTerminal(2),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Mode {
        if quiet { return .quiet }
        if environment[parentVariable] != nil { return .json }
        return isTerminal && environment["TERM"] != "dumb" ? .bar : .lines
    }

    /// Begins a new piece of work under another label; speed and remaining time start again.
    package func begin(label: String) {
        guard mode != .quiet else { return }
        let time = now()
        state.withLock {
            $0.label = TerminalText.safe(label)
            $0.startedAt = time
            $0.shownAt = mode == .bar || mode == .json ? -.infinity : time
            if mode == .json, !label.isEmpty { write(Self.object($0.label, nil)) }
        }
    }

    private static func object(
        _ label: String, _ fraction: Double?, _ kinds: [(type: String, count: Int64)] = []
    ) -> String {
        let progress = JSON.row(["label": label, "fraction": fraction])
        let counted = kinds.map { JSON.row(["type": $0.type, "count": $0.count]) }
        return JSON.row(["progress": kinds.isEmpty ? progress : progress.adding(["kinds": counted])]).line + "\n"
    }

    /// Reports how many bytes of how many are done, and how many items that were; `total` may be unknown.
    ///
    /// - Parameters:
    ///   - items: nil where `done` and `total` count items.
    ///   - kinds: how many items of each kind, for the program that started this one.
    package func update(
        done: Int, total: Int?, items: Int? = nil, kinds: @autoclosure () -> [(type: String, count: Int64)] = []
    ) {
        guard mode != .quiet else { return }
        let time = now()
        state.withLock { state in
            let pause =
                switch mode {
                case .bar: Self.secondsBetweenRedraws
                case .json: Self.secondsBetweenObjects
                case .lines, .quiet: Self.secondsBetweenLines
                }
            guard time - state.shownAt >= pause else { return }
            state.shownAt = time
            let line = ProgressLine(
                label: state.label, done: done, total: total, items: items,
                elapsedSeconds: time - state.startedAt)
            if mode == .json {
                write(Self.object(state.label, line.fraction, kinds()))
            } else if mode == .bar {
                // The last column stays free: filling it makes some terminals wrap.
                write("\r" + line.bar(columns: max(1, (columns() ?? Self.defaultColumns) - 1)) + "\u{1B}[K")
                state.isDrawn = true
            } else {
                write(line.plain + "\n")
            }
        }
    }

    /// Clears the bar; nothing of it stays behind.
    package func finish() {
        state.withLock { state in
            guard state.isDrawn else { return }
            write("\r\u{1B}[K")
            state.isDrawn = false
            state.shownAt = -.infinity
        }
    }
}

/// Text to standard error, whole and at once.
package enum StandardError {
    /// Writes the text. That nobody may be listening is no reason to stop: what fails to be written is dropped.
    package static func write(_ text: String) {
        text.withByteView { _ = writeAll($0, to: 2) }
    }
}
