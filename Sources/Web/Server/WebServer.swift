internal import Basics
internal import Foundation
internal import HealthModel
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
package import Store

/// The web interface on a socket of this computer.
///
/// The one folder that knows Hummingbird and NIO. In the order in which a request passes: `WebChannel.swift` (limits of a
/// connection), `UnsafeLoopExecutor.swift` (its thread), `Responder.swift` (gate, lane, answer), `LaneThreads.swift`
/// (connections to the archive), `PieceStream` of `Web` (an answer that is made while it is sent).
package final class WebServer: Sendable {
    /// Makes the site of a thread from what opens the archive there.
    package typealias MakeSite = @Sendable (@escaping @Sendable () throws -> ArchiveReader) -> Site

    /// The port on which it listens.
    package let port: Int
    private let responder: Responder

    /// More connections wait until one of these ends.
    private static let mostConnections = 64
    /// How long running answers may take once the server stops.
    private static let patience = Duration.milliseconds(2500)

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - address: of this computer alone, such as `127.0.0.1`.
    ///   - ports: to try, one after the other; 0 is any that is free.
    ///   - archive: nothing need be there yet.
    ///   - onLogin: called where the login link was used.
    ///   - makeSite: makes the site from what opens the archive; called once a thread.
    /// - Throws: `cannotCreate` where all ports are taken, `inputOutput`.
    package init(
        address: String, ports: [Int], archive: ArchiveConnections, sessions: Sessions,
        onLogin: @escaping @Sendable () -> Void, makeSite: @escaping MakeSite
    ) throws {
        responder = Responder(archive, makeSite)
        let makeGate: @Sendable (Int) -> Gate = {
            Gate(address: address, port: $0, sessions: sessions, onLogin: onLogin)
        }
        for port in ports {
            guard let channel = try Self.listen(address, port, responder, makeGate) else { continue }
            self.port = channel.localAddress?.port ?? port
            return
        }
        throw HealthProbeError(
            .cannotCreate, "The port \(ports.first ?? 0) is taken.",
            hint: "Name another one with --port, or leave it out.")
    }

    /// - Returns: nil where the port is taken.
    private static func listen(
        _ address: String, _ port: Int, _ responder: Responder, _ makeGate: @escaping @Sendable (Int) -> Gate
    ) throws -> (any Channel)? {
        var logger = Logger(label: "healthprobe")
        // No request is ever logged: its address says what somebody looked at.
        logger.logLevel = .critical
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let started = threads.next().makePromise(of: (any Channel).self)
        let server = Server(
            childChannelSetup: WebChannel { try await responder.respond($0, $1, $2) },
            configuration: ServerConfiguration(
                address: .hostname(address, port: port),
                availableConnectionsDelegate: .maximum(mostConnections, logger: logger)),
            onServerRunning: { channel in
                responder.open(makeGate(channel.localAddress?.port ?? port))
                started.succeed(channel)
            },
            eventLoopGroup: threads, logger: logger)
        Task.detached(executorPreference: LoopExecutor(threads.next())) {
            do { try await server.run() } catch { started.fail(error) }
        }
        do {
            return try started.futureResult.wait()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            return nil
        } catch let error as IOError {
            throw HealthProbeError(
                .inputOutput, "The server cannot listen on \(address).",
                hint: "Name another --port or --host.", cause: systemMessage(error.errnoCode))
        }
    }

    /// Answers nothing more, and waits a little for answers that are on their way.
    ///
    /// The socket stays open until the process ends: NIO would stop the program for a connection that is accepted at the
    /// moment at which it is closed.
    package func stop() {
        responder.close()
        let end = ContinuousClock.now + Self.patience
        while responder.isBusy, ContinuousClock.now < end { usleep(10_000) }
    }
}
