package import Basics
internal import Foundation

/// HealthKit's mark of a condensed sample: `<version>:<workout UUID>:<start>:<end>:<count>`.
///
/// Source: real exports, see the notes on consolidation in `docs/heuristics.md`; the bounds are `CFAbsoluteTime` with five
/// decimals.
package struct CondenserIdentifier: Sendable, Hashable {
    package let version: Int
    /// The workout's UUID as it is spelled there.
    package let workout: String
    /// The bounds in 1/100,000 s since 1970-01-01 UTC.
    package let start: Int64
    package let end: Int64
    /// How many original samples went in.
    package let count: Int

    package static let ticksPerSecond: Int64 = 100_000
    /// Seconds from 1970-01-01 to 2001-01-01 UTC.
    private static let referenceDate: Int64 = 978_307_200

    /// Reads the text of a sync identifier; nil where it is another one, or has bounds or a count beyond all reason.
    package init?(_ text: String) {
        guard Self.matches(text) else { return nil }
        let parts = text.split(separator: ":")
        guard parts.count == 5, let version = Int(parts[0]), let start = Self.ticks(parts[2]),
            let end = Self.ticks(parts[3]), let count = Int(parts[4]), start <= end, 1..<1 << 40 ~= count
        else { return nil }
        self.version = version
        workout = String(parts[1])
        self.start = start
        self.end = end
        self.count = count
    }

    private static func ticks(_ text: Substring) -> Int64? {
        guard text.utf8.count <= 20, let ticks = Int64(text.filter { $0 != "." }),
            ticks.magnitude < 1 << 60
        else { return nil }
        return ticks + referenceDate * ticksPerSecond
    }

    /// Whether a text has the form of the mark.
    package static func matches(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        func isInteger(_ part: Substring) -> Bool { !part.isEmpty && part.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
        func isTime(_ part: Substring) -> Bool {
            let halves = part.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
            return halves.count == 2 && isInteger(halves[0]) && halves[1].count == 5 && isInteger(halves[1])
        }
        return parts.count == 5 && isInteger(parts[0]) && UUID(uuidString: String(parts[1])) != nil
            && isTime(parts[2]) && isTime(parts[3]) && isInteger(parts[4])
    }

    /// The condition of the index `record_versions_condensed`: rows of `record_versions` whose own metadata may have the mark.
    ///
    /// - Parameter prefix: empty, or the alias of the table with a full stop.
    package static func condition(_ prefix: String) -> String {
        """
        typeof(\(prefix)metadata) = 'text' AND instr(\(prefix)metadata, '"HKMetadataKeySyncIdentifier":"') > 0
            AND \(prefix)metadata GLOB '*"HKMetadataKeySyncIdentifier":"[0-9]*:*-*-*-*-*:*.?????:*.?????:[0-9]*"*'
        """
    }

    /// The valid mark of a condensed record; nil where it has none.
    ///
    /// - Parameter metadata: canonical JSON.
    package static func mark(in metadata: String) -> CondenserIdentifier? {
        guard metadata.holds("\"HKMetadataKeySyncIdentifier\":"),
            let text = JSON.parse(metadata)?["HKMetadataKeySyncIdentifier"]?.string,
            let mark = CondenserIdentifier(text), 1...largestWeight ~= mark.count
        else { return nil }
        return mark
    }

    /// How many samples a condensed record represents: the count of its valid mark; nil where it has none.
    ///
    /// - Parameter metadata: canonical JSON.
    package static func samples(in metadata: String) -> Int64? { mark(in: metadata).map { Int64($0.count) } }

    /// How many samples a record represents beyond itself: 0 for one without a valid mark.
    ///
    /// - Parameter metadata: canonical JSON.
    package static func extraSamples(in metadata: String?) -> Int64 { metadata.flatMap(samples).map { $0 - 1 } ?? 0 }

    /// A mark that declares more samples than that weighs as any other record.
    private static let largestWeight = 1_000_000

    /// Whether stored metadata may have the mark: the text that ``condition(_:)`` looks for first, and a colon behind it.
    package static func isMentioned(in metadata: ByteView) -> Bool {
        let text = metadata.string
        guard let name = text.range(of: "\"HKMetadataKeySyncIdentifier\":\"") else { return false }
        return text[name.upperBound...].prefix { $0 != "\"" }.contains(":")
    }
}
