internal import Archive
internal import ArgumentParser
internal import Reporting
internal import TextFormats

/// Prints a diff: its counts, or one change after the other as they are found.
struct DiffPrinter {
    /// The changes that `--change` chooses from.
    enum Change: String, CaseIterable {
        case appeared, disappeared, representationChanged
    }

    let rows: RecordRows
    let output: Output
    let layout: TextLayout
    let asJSON: Bool
    let changes: Set<Change>

    /// The changes asked for; all without an argument.
    static func changes(_ arguments: [String]) throws -> Set<Change> {
        Set(try arguments.isEmpty ? Change.allCases : ListArgument.values(arguments, option: "--change"))
    }

    /// The counts.
    func print(_ diff: DiffSummary) throws {
        if asJSON { try output.writeLine(DiffJSON.line(diff)) } else { try output.write(DiffText.page(diff, layout)) }
    }

    /// One change.
    func print(_ change: DiffChange) throws {
        switch change {
        case .appeared(let id): try print(.appeared, "+", id)
        case .disappeared(let id): try print(.disappeared, "-", id)
        case .representationChanged(let evidence, let fields, let before, let after):
            guard changes.contains(.representationChanged), let before = try rows.fetch(before),
                let after = try rows.fetch(after)
            else { return }
            if asJSON {
                var writer = JSONWriter()
                DiffJSON.appendLine(
                    evidence: evidence, changedFields: fields, before: before, after: after, to: &writer)
                try output.write(writer.bytes)
            } else {
                try output.write(
                    DiffText.line(evidence: evidence, changedFields: fields, before: before, after: after, layout))
            }
        }
        if output.isClosed { throw Output.Closed() }
    }

    private func print(_ change: Change, _ sign: String, _ id: Int64) throws {
        guard changes.contains(change), let record = try rows.fetch(id) else { return }
        if asJSON {
            var writer = JSONWriter()
            DiffJSON.appendLine(change.rawValue, record, to: &writer)
            try output.write(writer.bytes)
        } else {
            try output.write(DiffText.line(sign, record, layout))
        }
    }
}
