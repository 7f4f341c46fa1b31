/// What the site answers; the headers that every answer has are added by the gate.
package struct Answer: Sendable {
    /// The bytes of an answer.
    package indirect enum Body: Sendable {
        case bytes([UInt8])
        /// Bytes that are made while they are sent: the closure writes pieces, and stops where writing throws, because the
        /// client is gone. Where it throws itself, the connection is closed without the end of the answer.
        case stream(@Sendable (_ write: ([UInt8]) throws -> Void) throws -> Void)
        /// What another program makes: the first closure waits for its first bytes and returns the answer, on a thread of
        /// its own; the second ends the program, because the client is gone.
        case later(_ wait: @Sendable () -> Answer, _ end: @Sendable () -> Void)
    }

    /// The HTTP status.
    package var status: Int
    /// Headers of this answer, with lowercase names.
    package var headers: [(name: String, value: String)]
    package var body: Body

    package init(_ status: Int, _ headers: [(name: String, value: String)] = [], _ body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
