import Foundation
import TestSupport

/// The tables of results in `docs/reliability.md`.
enum ReliabilityPage {
    private static let lock = NSLock()

    /// Replaces the rows that begin with the same first cells, or throws where there is none.
    ///
    /// - Parameters:
    ///   - row: all cells.
    ///   - key: how many of the first cells name the row.
    static func record(_ row: [String], key: Int) throws {
        try lock.withLock {
            let page = TestSupport.repository.appendingPathComponent("docs/reliability.md")
            let text = "| " + row.joined(separator: " | ") + " |"
            let start = "| " + row.prefix(key).joined(separator: " | ") + " |"
            let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
            guard lines.contains(where: { $0.hasPrefix(start) }) else {
                throw TestSupport.Failure("docs/reliability.md has no row \(start)")
            }
            try lines.map { $0.hasPrefix(start) ? text : $0 }.joined(separator: "\n")
                .write(to: page, atomically: true, encoding: .utf8)
        }
    }
}
