package import Archive
internal import Presentation

/// The result of a check, invariant by invariant.
package enum CheckText {
    /// The table and the verdict.
    package static func page(_ result: CheckResult, _ layout: TextLayout) -> String {
        var table = TextTable([.exact("Invariant"), .exact("Holds"), .left("Detail", maxWidth: 4_096)])
        for invariant in result.invariants {
            table.addRow([invariant.id, invariant.holds ? "yes" : "no", invariant.detail ?? ""])
        }
        return layout.render(table) + verdict(result) + "\n"
    }

    /// What the failed invariants mean for what can be done next.
    private static func verdict(_ result: CheckResult) -> String {
        let count = result.invariants.count
        guard !result.healthy else { return "All \(Counts.of(count, "invariant")) hold." }
        let failed = Set(result.failed.map(\.id))
        var sentences = ["\(Counts.of(failed.count, "invariant")) of \(count) not fulfilled."]
        sentences.append(
            result.damage.isEmpty
                ? "The archive itself is whole: imports go on."
                : "Imports are refused until the archive is repaired or a backup restored; reading goes on.")
        if failed.contains(ArchiveCheck.rememberedHead) {
            sentences.append(
                "A newer state of it was seen here before: put that back, or go on from this one with healthprobe seal --accept."
            )
        }
        if !failed.isDisjoint(with: ArchiveCheck.sources) {
            sentences.append(
                "Kept sources are damaged or gone: put the original exports back into the folder of sources.")
        }
        return sentences.joined(separator: " ")
    }
}
