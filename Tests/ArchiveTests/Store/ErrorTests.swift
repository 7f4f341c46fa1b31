internal import Foundation
internal import HealthModel
internal import Store
internal import Testing

/// Errors that are not the program's own.
@Suite struct ErrorTests {
    @Test func anErrorOfTheSystemIsToldInItsOwnWords() {
        let error = CocoaError(.fileReadNoPermission, userInfo: [NSFilePathErrorKey: "/x/y", "other": "internal"])
        let failure = HealthProbeError(error)
        #expect(failure.code == .inputOutput && failure.code.exitCode == 74)
        #expect(failure.message == error.localizedDescription && !failure.message.contains("Domain"))
    }
}
