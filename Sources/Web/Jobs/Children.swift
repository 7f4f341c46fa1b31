internal import Synchronization

/// Another run of this program that a page started. Its standard input ends with this process, and ends it.
package protocol ChildProgram: Sendable {
    /// The next bytes of standard output; none at its end.
    func readOutput() -> [UInt8]

    /// The next bytes of standard error; none at its end.
    func readMessages() -> [UInt8]

    /// Asks it to end, and sees to it that it does.
    func end()

    /// Waits for its end.
    /// - Returns: the exit code; 128 and the signal's number where one ended it.
    func wait() -> Int32
}

/// All programs that pages started, so that none outlives the server.
package final class Children: Sendable {
    /// Starts the program with arguments.
    package typealias Launch = @Sendable ([String]) throws -> any ChildProgram

    private let launch: Launch
    private let running = Mutex<(next: Int, children: [Int: any ChildProgram], isClosed: Bool)>((0, [:], false))

    init(_ launch: @escaping Launch) { self.launch = launch }

    /// A started program, until its end was waited for.
    struct Child {
        fileprivate let number: Int
        let program: any ChildProgram
    }

    /// - Throws: `WebError.busy` where the server ends; what the launch throws.
    func start(_ arguments: [String]) throws -> Child {
        try running.withLock { running in
            guard !running.isClosed else { throw WebError(.busy) }
            let program = try launch(arguments)
            running.next += 1
            running.children[running.next] = program
            return Child(number: running.next, program: program)
        }
    }

    /// Waits for a program's end.
    /// - Returns: its exit code.
    func finish(_ child: Child) -> Int32 {
        let code = child.program.wait()
        running.withLock { $0.children[child.number] = nil }
        return code
    }

    /// Ends all, and starts none any more.
    func endAll() {
        let children = running.withLock { running in
            running.isClosed = true
            return Array(running.children.values)
        }
        for child in children { child.end() }
    }

    /// Whether none runs.
    var isEmpty: Bool { running.withLock { $0.children.isEmpty } }
}
