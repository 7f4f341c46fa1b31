import Foundation
import Testing

@testable import healthprobe

/// Errors that are not the program's own.
@Suite struct FailureTests {
    @Test func anErrorOfTheSystemIsToldInItsOwnWords() {
        let error = CocoaError(.fileReadNoPermission, userInfo: [NSFilePathErrorKey: "/x/y", "other": "internal"])
        let failure = Failure(error)
        #expect(failure.code == "inputOutput" && failure.exitCode == 74)
        #expect(failure.message == error.localizedDescription && !failure.message.contains("Domain"))
    }
}
