package import Basics
internal import Foundation
package import Importing
package import Presentation
package import Questions
internal import Store

/// What became of the files that one command offered, and what to do next.
package struct ImportSummary {
    private var imported = 0
    private var knownBefore = 0
    /// The observation of the last export that was imported.
    package private(set) var newest: Int64?
    /// How many of the observations are partial.
    package private(set) var partial = 0
    /// The files that were refused, as they were given.
    package var refused: [String] = []
    private let headings: FileHeadings
    private let chain: String

    package init(paths: [String], chain: String) {
        headings = FileHeadings(paths)
        self.chain = chain
    }

    /// Whether nothing was imported yet.
    package var isEmpty: Bool { imported + knownBefore == 0 }

    package mutating func add(_ outcome: ImportOutcome, _ report: ObservationReport) {
        if outcome.alreadyImported {
            knownBefore += 1
        } else {
            imported += 1
            newest = outcome.observationID
        }
        if report.observation.status == .partial { partial += 1 }
    }

    /// What the observation of a file is headed with beside its own title; nil for a file alone.
    package func heading(of path: String) -> String? { headings.isSingle ? nil : headings[path] }

    /// - Parameter observations: how many the chain has now.
    package func document(observations: Int) -> Document {
        var parts = [Counts.of(imported, "export") + " imported"]
        if partial > 0 { parts[0] += " (\(partial) in part)" }
        if knownBefore > 0 { parts.append("\(knownBefore) imported before") }
        if !refused.isEmpty {
            parts.append("\(refused.count) refused: \(refused.map { headings[$0] }.joined(separator: ", "))")
        }
        let next =
            observations > 1
            ? "\(CommandText.line(["diff"], chain: chain)) compares the last two observations, "
                + "\(CommandText.line(["report"], chain: chain)) writes the comparison as a page."
            : observations == 1
                ? "import a later export of this phone, to see what changed." : "choose exports of the Health app."
        return Document([.paragraph(parts.joined(separator: ", ") + "."), .paragraph("Next: \(next)")])
    }
}

extension ImportSummary {
    /// The answer of an import of one file in words; nil for what is none.
    ///
    /// - Parameter answer: the line of `import --json`.
    package static func document(of answer: JSON) -> Document? {
        guard let observation = answer["observation"], let id = observation["id"]?.int, let totals = answer["totals"],
            let name = observation["source"]?["name"]?.string
        else { return nil }
        func count(_ name: String) -> Int64 { totals[name]?.int ?? 0 }
        let isKnown = answer["alreadyImported"]?.bool ?? false
        let isSupplemented = answer["supplemented"]?.bool ?? false
        var document = Document([
            .paragraph(
                isKnown
                    ? "\(name.quoted) had been imported before, as observation \(id); "
                        + (isSupplemented ? "what the observation lacked was added." : "nothing was added.")
                    : "\(name.quoted) is imported as observation \(id): \(Counts.grouped(count("read"))) read, "
                        + "\(Counts.grouped(count("visible"))) visible.")
        ])
        if let stop = observation["stoppedAt"],
            let sentence = Wording.stop(
                line: stop["line"]?.int, byte: stop["byte"]?.int, reason: stop["reason"]?.string,
                message: stop["message"]?.string)
        {
            document.paragraph(sentence)
        }
        if !isKnown {
            document.paragraph(
                Wording.changes(
                    appeared: count("appeared"), disappeared: count("disappeared"),
                    changed: count("representationChanged"), current: "it", isExplained: true))
        }
        return document
    }
}

/// What files are called in headings: their own names or, where two have one name, their paths as they were given.
package struct FileHeadings {
    private let names: [String: String]

    package init(_ paths: [String]) {
        let byName = Dictionary(grouping: Set(paths)) { ($0 as NSString).lastPathComponent }
        names = byName.reduce(into: [:]) { names, entry in
            for path in entry.value { names[path] = entry.value.count > 1 ? path : entry.key }
        }
    }

    package var isSingle: Bool { names.count < 2 }

    package subscript(path: String) -> String { names[path] ?? path }
}
