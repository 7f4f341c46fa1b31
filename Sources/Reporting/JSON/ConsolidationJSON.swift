package import Analysis
package import Archive
internal import HealthModel
package import TextFormats

/// The lines of `consolidation --json`, without and with `--groups`.
package enum ConsolidationJSON {
    /// The verdicts by type; types in which nothing changed are left out.
    package static func line(_ answer: ConsolidationAnswer) -> JSON {
        [
            "schema": .string(Reporting.schema("consolidation")), "from": ObservationJSON.object(answer.question.from),
            "to": ObservationJSON.object(answer.question.to), "through": .bool(answer.question.through),
            "rulesVersion": .int(Consolidation.rulesVersion),
            "types": .array(answer.verdicts.filter { !$0.labels.isEmpty || $0.groups > 0 }.map(type)),
        ]
    }

    /// A verdict.
    package static func type(_ verdict: ConsolidationVerdict) -> JSON {
        [
            "type": .string(verdict.type), "groups": .int(verdict.groups), "replacements": .int(verdict.replacements),
            "explained": .int(verdict.explained), "unexplained": .int(verdict.unexplained),
            "completeGroups": .int(verdict.completeGroups), "partialGroups": .int(verdict.partialGroups),
            "emptyGroups": .int(verdict.emptyGroups), "revisedValues": .int(verdict.revisedValues),
            "labels": .array(verdict.labels.map { .string($0) }),
            "uncertainty": .array(verdict.uncertainty.map { .string($0) }),
            "evidence": evidence(verdict.evidence), "aggregateChange": change(verdict.aggregateChange),
        ]
    }

    private static func evidence(_ evidence: ConsolidationVerdict.Evidence) -> JSON {
        [
            "countBefore": .int(evidence.countBefore), "countAfter": .int(evidence.countAfter),
            "sumBefore": sum(evidence.sumBefore, evidence.isCumulative),
            "sumAfter": sum(evidence.sumAfter, evidence.isCumulative),
            "sumTolerance": sum(evidence.sumTolerance, evidence.isCumulative), "unit": .optional(evidence.unit),
            "coverageOverlap": .optional(evidence.coverageOverlap),
            "medianIntervalBefore": .optional(evidence.medianIntervalBefore),
            "medianIntervalAfter": .optional(evidence.medianIntervalAfter),
            "densityBefore": .optional(evidence.densityBefore), "densityAfter": .optional(evidence.densityAfter),
            "bySourceRevision": .array(
                evidence.bySourceRevision.map { part in
                    [
                        "sourceName": .optional(part.sourceName), "sourceVersion": .optional(part.sourceVersion),
                        "countBefore": .int(part.countBefore), "countAfter": .int(part.countAfter),
                        "sumBefore": sum(part.sumBefore, evidence.isCumulative),
                        "sumAfter": sum(part.sumAfter, evidence.isCumulative),
                    ]
                }),
        ]
    }

    /// A sum; null for types whose values do not add up.
    private static func sum(_ value: Double, _ isCumulative: Bool) -> JSON { isCumulative ? .double(value) : .null }

    private static func change(_ change: ConsolidationVerdict.AggregateChange?) -> JSON {
        guard let change else { return .null }
        return [
            "replacements": .int(change.replacements), "countBefore": .int(change.countBefore),
            "before": .double(change.sumBefore), "after": .double(change.sumAfter),
            "delta": .double(change.sumAfter - change.sumBefore), "tolerance": .double(change.sumTolerance),
        ]
    }

    /// A group without its constituents, for documents that hold few groups.
    static func group(_ group: ConsolidationGroup, _ replacements: [RecordRow]) -> JSON {
        .object(
            names(of: group) + [("replacements", .array(replacements.map(RecordJSON.value)))] + counts(of: group)
                + evidence(of: group))
    }

    /// A group's line up to its constituents.
    package static func appendHead(of group: ConsolidationGroup, _ replacements: [RecordRow], to out: inout JSONWriter)
    {
        out.append(raw: "{")
        append(names(of: group), to: &out)
        out.append(raw: ",\"replacements\":[")
        for (index, record) in replacements.enumerated() {
            if index > 0 { out.append(raw: ",") }
            RecordJSON.append(record, to: &out)
        }
        out.append(raw: "],")
        append(counts(of: group), to: &out)
        out.append(raw: ",\"constituents\":[")
    }

    /// One constituent.
    package static func append(
        _ constituent: ConsolidationGroup.Constituent, _ record: RecordRow, isFirst: Bool, to out: inout JSONWriter
    ) {
        if !isFirst { out.append(raw: ",") }
        out.append(raw: "{\"identity\":\"\(record.identity.hex)\",\"version\":\"\(record.version.hex)\"")
        out.append(raw: ",\"ordinal\":\(record.ordinal),\"lastVisibleAt\":\(constituent.lastVisibleAt)")
        out.append(raw: ",\"disappeared\":\(constituent.disappearedCopyID != nil)")
        if constituent.isNested { out.append(raw: ",\"nested\":true") }
        out.append(raw: "}")
    }

    /// What follows the constituents.
    package static func appendTail(of group: ConsolidationGroup, to out: inout JSONWriter) {
        out.append(raw: "],")
        append(evidence(of: group), to: &out)
        out.append(raw: "}\n")
    }

    private static func append(_ members: [(String, JSON)], to out: inout JSONWriter) {
        for (index, (name, value)) in members.enumerated() {
            out.append(raw: "\(index > 0 ? "," : "")\"\(name)\":")
            out.append(value)
        }
    }

    private static func names(of group: ConsolidationGroup) -> [(String, JSON)] {
        [
            ("type", .string(group.type)), ("basis", .string(group.basis.rawValue)),
            ("workout", .optional(group.workout)), ("completeness", .string(group.completeness.rawValue)),
        ]
    }

    private static func counts(of group: ConsolidationGroup) -> [(String, JSON)] {
        [
            ("constituentCount", .int(group.evidence.constituentCount)),
            ("declaredCount", .optional(group.declaredCount)), ("foundCount", .int(group.evidence.foundCount)),
        ]
    }

    private static func evidence(of group: ConsolidationGroup) -> [(String, JSON)] {
        let evidence = group.evidence
        let hasSum = evidence.isCumulative
        return [
            ("sumBefore", sum(evidence.sumBefore, hasSum)), ("sumAfter", sum(evidence.sumAfter, hasSum)),
            ("sumDelta", sum(evidence.sumDelta, hasSum)), ("sumTolerance", sum(evidence.sumTolerance, hasSum)),
            ("unit", .optional(evidence.unit)), ("value", .optional(hasSum ? nil : evidence.sumAfter)),
            ("minimumBefore", .optional(evidence.minimumBefore)), ("maximumBefore", .optional(evidence.maximumBefore)),
            ("meanBefore", .optional(evidence.meanBefore)),
            ("timeWeightedMeanBefore", .optional(evidence.timeWeightedMeanBefore)),
            ("coverageOverlap", .optional(evidence.coverageOverlap)), ("spanSeconds", .double(evidence.spanSeconds)),
        ]
    }
}
