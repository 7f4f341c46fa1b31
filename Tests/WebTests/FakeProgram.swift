import Foundation
import Synchronization
import Web

/// A program that a page starts, in a test: prints what the test says, when it says so.
final class FakeProgram: ChildProgram {
    /// What the programs do, and what they were asked.
    final class Script: Sendable {
        /// How programs of a test run.
        struct Contents {
            var commands: [[String]] = []
            var output: [[UInt8]] = []
            var messages = ""
            var exitCode: Int32 = 0
            /// Whether programs run until they are ended.
            var isEndless = false
            /// Whether standard output ends only once the messages are read: there are more than a pipe holds.
            var hasFullPipe = false
            var ended = 0
        }

        let contents = Mutex(Contents())

        /// The command lines that were started.
        var commands: [[String]] { contents.withLock { $0.commands } }

        func set(_ body: (inout Contents) -> Void) { contents.withLock { body(&$0) } }
    }

    private let script: Script
    private let pieces: Mutex<[[UInt8]]>
    private let messages: Mutex<[UInt8]>
    private let isEnded = Mutex(false)

    init(_ arguments: [String], _ script: Script) {
        self.script = script
        let contents = script.contents.withLock { contents in
            contents.commands.append(arguments)
            return contents
        }
        pieces = Mutex(contents.output)
        messages = Mutex(Array(contents.messages.utf8))
    }

    func readOutput() -> [UInt8] {
        if let piece = pieces.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return piece }
        waitForTheEnd()
        let end = ContinuousClock.now + .seconds(10)
        let isHeld = script.contents.withLock { $0.hasFullPipe }
        while isHeld, messages.withLock({ !$0.isEmpty }), .now < end { usleep(2000) }
        return []
    }

    func readMessages() -> [UInt8] {
        let bytes = messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
        if bytes.isEmpty { waitForTheEnd() }
        return bytes
    }

    func end() {
        isEnded.withLock { $0 = true }
        script.set { $0.ended += 1 }
    }

    func wait() -> Int32 { isEnded.withLock { $0 } ? 143 : script.contents.withLock { $0.exitCode } }

    private func waitForTheEnd() {
        while script.contents.withLock({ $0.isEndless }), !isEnded.withLock({ $0 }) { usleep(2000) }
    }
}
