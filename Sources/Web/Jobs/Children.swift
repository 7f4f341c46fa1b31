internal import Synchronization

/// Another run of this program that a page started. Its standard input ends with this process, and ends it.
package protocol ChildProgram: AnyObject, Sendable {
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
    private let running = Mutex<(children: [ObjectIdentifier: any ChildProgram], isClosed: Bool)>(([:], false))

    init(_ launch: @escaping Launch) { self.launch = launch }

    /// - Throws: `WebError.busy` where the server ends; what the launch throws.
    func start(_ arguments: [String]) throws -> any ChildProgram {
        try running.withLock { running in
            guard !running.isClosed else { throw WebError(.busy) }
            let child = try launch(arguments)
            running.children[ObjectIdentifier(child)] = child
            return child
        }
    }

    /// Waits for a program's end.
    /// - Returns: its exit code.
    func finish(_ child: any ChildProgram) -> Int32 {
        let code = child.wait()
        running.withLock { $0.children[ObjectIdentifier(child)] = nil }
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
