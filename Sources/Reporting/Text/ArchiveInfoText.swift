internal import Archive
internal import HealthModel
internal import Presentation
internal import TextFormats

/// What an archive is and holds, for people.
package enum ArchiveInfoText {
    /// The facts and the chains.
    package static func page(_ facts: ArchiveFacts, _ layout: TextLayout) -> String {
        let info = facts.info
        var text = layout.style.bold(TerminalText.safe(facts.path)) + "\n"
        text += layout.facts([
            ("Archive", info.identity.uuid), ("Schema", "\(info.identity.schemaVersion)"),
            (
                "Size",
                "\(Bytes.text(info.byteCount)), of which free \(Bytes.text(info.freeByteCount)); "
                    + "write-ahead log \(Bytes.text(facts.walByteCount))"
            ),
            ("Observations", counts(info.statuses)), ("Samples", Counts.grouped(info.samples)),
            ("Representations", "\(Counts.grouped(info.versions)), \(Counts.grouped(info.copies)) with multiplicities"),
            ("Side files", Counts.grouped(info.sideFiles)), ("Seals", Counts.grouped(info.seals)),
            ("Head seal", info.headSeal.map { "\($0.sequence): \($0.digest.hex)" }),
            ("Key", "\(info.identity.keyID) (\(facts.keyState.rawValue)), epoch \(info.identity.keyEpoch)"),
            ("Failed check", info.identity.failedCheck),
        ])
        var table = TextTable(
            [.left("Chain"), .left("Observations"), .exact("First"), .exact("Last"), .left("Days of")], indent: 2)
        for chain in info.chains {
            table.addRow([
                chain.name, counts(chain.statuses), layout.time(chain.firstObservedAt),
                layout.time(chain.lastObservedAt),
                chain.zone.map(AggregatesText.phrase) ?? "",
            ])
        }
        return text + layout.section("Chains (times in \(layout.zoneName))", table)
    }

    private static func counts(_ counts: [ObservationReport.NamedCount]) -> String {
        counts.isEmpty ? "none" : counts.map { "\(Counts.grouped($0.count)) \($0.name)" }.joined(separator: ", ")
    }
}
