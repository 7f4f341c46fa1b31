internal import Basics
internal import Foundation
internal import HealthModel
internal import Synchronization

/// SIGINT, SIGTERM and SIGHUP as a flag that long work reads; a second signal ends the process at once.
enum Interruption {
    private static let requested = Atomic<Bool>(false)

    /// Whether a signal came.
    static var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// - Throws: `interrupted` where a signal came.
    static func check() throws {
        if isRequested { throw HealthProbeError(.interrupted, "Interrupted.", hint: "Run the same command again.") }
    }

    /// Blocks the main thread until a signal that `watch` catches has come.
    static func wait() {
        // The system hands a signal to the main thread, and that ends the pause.
        while !isRequested { sleep(2) }
    }

    /// Catches the signals from now on.
    static func watch() {
        // The flag must exist before a handler touches it: making it is not safe inside one.
        guard !isRequested else { return }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // `nohup` ignores it, so that the program goes on when the terminal is closed.
            if number == SIGHUP, isIgnored(number) { continue }
            signal(number) { number in
                Interruption.requested.store(true, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
    }
}
