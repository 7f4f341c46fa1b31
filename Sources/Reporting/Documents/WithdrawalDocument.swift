package import Basics
package import History
package import Presentation
internal import Store

extension Withdrawal {
    /// The line of `observation withdraw --json`.
    package var line: JSON {
        .line(
            "withdraw",
            [
                "observation": observation, "reason": reason, "rederived": rederived, "sealSequence": sealSequence,
            ])
    }

    /// What was withdrawn, and what that changed.
    package var document: Document {
        let isPreview = sealSequence == nil
        var lines = [
            "Observation \(observation.id) of chain \(observation.chain) (\(observation.sourceName)) "
                + "\(isPreview ? "would be" : "was") withdrawn: \(reason)",
            "\(Counts.of(deletedRows, "record version")) that no other observation shows "
                + "\(isPreview ? "would be" : "\(deletedRows == 1 ? "was" : "were")") deleted.",
        ]
        if !rederived.isEmpty {
            let ids = rederived.map(String.init).joined(separator: ", ")
            lines.append("Compared again: observation \(ids).")
        }
        lines.append(sealSequence.map { "Sealed as number \($0)." } ?? "Nothing was changed.")
        return Document(lines.map { .paragraph($0) })
    }
}
