internal import Archive
internal import TextFormats

/// The members that `import`, `show` and `inspect` share.
enum ReportJSON {
    static func totals(_ totals: ObservationReport.Totals) -> JSON {
        [
            "read": .int(totals.read), "visible": .int(totals.visible), "appeared": .int(totals.appeared),
            "disappeared": .int(totals.disappeared), "representationChanged": .int(totals.representationChanged),
            "quarantined": .int(totals.quarantined),
        ]
    }

    static func type(_ run: ObservationReport.TypeRun) -> [(String, JSON)] {
        [
            ("type", .string(run.type)), ("status", .string(run.status.rawValue)), ("read", .int(run.read)),
            ("visible", .int(run.visible)), ("appeared", .int(run.appeared)), ("disappeared", .int(run.disappeared)),
            ("representationChanged", .int(run.representationChanged)), ("evidence", counts(run.evidence)),
            ("changedFields", counts(run.changedFields)),
        ]
    }

    static func counts(_ counts: [ObservationReport.NamedCount]) -> JSON {
        .object(counts.map { ($0.name, .int($0.count)) })
    }

    static func repairs(_ repairs: [ObservationReport.Located]) -> JSON { located(repairs, name: "kind") }

    static func quarantine(_ groups: [ObservationReport.Located]) -> JSON { located(groups, name: "reason") }

    static func unknown(_ names: [ObservationReport.NamedCount]) -> JSON {
        .array(names.map { ["name": .string($0.name), "count": .int($0.count)] })
    }

    static func warnings(_ warnings: [String]) -> JSON { .array(warnings.map { .string($0) }) }

    private static func located(_ entries: [ObservationReport.Located], name: String) -> JSON {
        .array(
            entries.map {
                .object([(name, .string($0.name)), ("count", .int($0.count)), ("firstLine", .int($0.firstLine))])
            })
    }
}
