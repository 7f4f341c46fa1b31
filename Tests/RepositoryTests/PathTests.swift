internal import Foundation
import Testing

@Suite struct PathTests {
    /// Homes and build folders that only exist on somebody's machine.
    static let forbidden =
        #"(?<![\w.])/(?:home|Users)/(?!runner\b|you\b|me\b|x\b)[a-z][\w.-]*/|(?<![\w./])/(?:root|work|workspace|builds)/[\w.]"#

    @Test("no file names a folder of a developer's machine")
    func noMachinePaths() {
        let binary: Set<String> = ["zip", "sqlite", "png", "gz"]
        for path in Repository.paths where !binary.contains((path as NSString).pathExtension) {
            if path.hasPrefix("Tests/RepositoryTests/") { continue }
            let found = Repository.text(path).captures(of: Self.forbidden)
            #expect(found.isEmpty, "\(path): \(Set(found).sorted().joined(separator: ", "))")
        }
    }
}
