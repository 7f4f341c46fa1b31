package import Archive
internal import Presentation

/// The result of a check, invariant by invariant.
package enum CheckText {
    /// The table and the verdict.
    package static func page(_ result: CheckResult, _ layout: TextLayout) -> String {
        var table = TextTable([.left("Invariant"), .left("Holds"), .left("Detail")])
        for invariant in result.invariants {
            table.addRow([invariant.id, invariant.holds ? "yes" : "no", invariant.detail ?? ""])
        }
        let failed = result.invariants.filter { !$0.holds }.count
        let verdict =
            result.healthy
            ? "All \(Counts.of(result.invariants.count, "invariant")) hold.\n"
            : "\(Counts.of(failed, "invariant")) of \(result.invariants.count) not fulfilled. "
                + "Imports are refused until the archive is repaired or a backup restored; reading goes on.\n"
        return layout.render(table) + verdict
    }
}
