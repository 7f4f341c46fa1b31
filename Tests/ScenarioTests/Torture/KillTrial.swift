import Foundation
import Testing
import TestSupport

/// SIGKILL at random points of a command.
enum KillTrial {
    /// Kills the command at least so many times.
    ///
    /// - Parameters:
    ///   - seconds: how long the command takes undisturbed.
    ///   - prepare: makes ready what the command works on, and returns its arguments.
    ///   - after: looks at what the kill left; the archive is checked afterwards.
    /// - Throws: where a command does not do what it must.
    static func run(
        _ kills: Int, _ seconds: Double, prepare: (Sandbox) throws -> [String], after: (Sandbox) throws -> Void
    ) throws {
        var killed = 0
        var rounds = 0
        // Where the machine was busier while the time was taken, kills come too late: then earlier ones are tried.
        var longest = seconds
        while rounds < kills || (killed == 0 && rounds < kills + 10) {
            rounds += 1
            let sandbox = try Sandbox("kill")
            let command = try prepare(sandbox)
            let child = try sandbox.start(command)
            usleep(UInt32(Double.random(in: 0..<longest) * 1e6))
            child.signal(SIGKILL)
            if try child.wait().status == 128 + SIGKILL { killed += 1 } else { longest *= 0.7 }
            try after(sandbox)
            try sandbox.run("check", "--deep").expecting(0)
        }
        #expect(killed > 0, "all \(rounds) kills came too late")
    }
}
