package import Basics
internal import Days
internal import HealthModel
package import Questions
package import Store

extension ConsolidationAnswer {
    /// The line of `consolidation --json`; types in which nothing changed are left out.
    package var line: JSON {
        .line(
            "consolidation",
            [
                "from": question.from, "to": question.to, "through": question.through,
                "rulesVersion": Consolidation.rulesVersion,
                "types": verdicts.filter { !$0.labels.isEmpty || $0.groups > 0 },
            ])
    }
}

extension ConsolidationVerdict: JSONConvertible {
    package var json: JSON {
        .row([
            "type": type, "groups": groups, "replacements": replacements, "explained": explained,
            "unexplained": unexplained, "completeGroups": completeGroups, "partialGroups": partialGroups,
            "emptyGroups": emptyGroups, "revisedValues": revisedValues, "labels": labels.map(\.rawValue),
            "uncertainty": uncertainty.map(\.rawValue), "evidence": evidence, "aggregateChange": aggregateChange,
        ])
    }
}

extension ConsolidationVerdict.Evidence: JSONConvertible {
    package var json: JSON {
        .row([
            "countBefore": countBefore, "countAfter": countAfter, "sumBefore": sum(sumBefore),
            "sumAfter": sum(sumAfter), "sumTolerance": sum(sumTolerance), "unit": unit,
            "coverageOverlap": coverageOverlap, "medianIntervalBefore": medianIntervalBefore,
            "medianIntervalAfter": medianIntervalAfter, "densityBefore": densityBefore, "densityAfter": densityAfter,
            "bySourceRevision": bySourceRevision.map { part in
                JSON.row([
                    "sourceName": part.sourceName, "sourceVersion": part.sourceVersion,
                    "countBefore": part.countBefore, "countAfter": part.countAfter,
                    "sumBefore": sum(part.sumBefore), "sumAfter": sum(part.sumAfter),
                ])
            },
        ])
    }

    /// A sum; nil for types whose values do not add up.
    private func sum(_ value: Double) -> Double? { isCumulative ? value : nil }
}

extension ConsolidationVerdict.AggregateChange: JSONConvertible {
    package var json: JSON {
        .row([
            "replacements": replacements, "countBefore": countBefore, "before": sumBefore, "after": sumAfter,
            "delta": sumAfter - sumBefore, "tolerance": sumTolerance,
        ])
    }
}

extension ConsolidationGroup {
    /// The group without its constituents, for documents that hold few groups.
    func json(_ replacements: [RecordRow]) -> JSON {
        names.adding(["replacements": replacements]).adding(counts).adding(evidence.members)
    }

    /// Writes the group's line of `consolidation --groups --json`.
    ///
    /// - Parameter answer: the analysis that the group is of.
    package func writeLine(
        of answer: ConsolidationAnswer, _ rows: RecordReader, to write: ([UInt8]) throws -> Void
    ) throws {
        let out = ByteBuffer()
        out.append("{")
        out.append(membersOf: names.adding(["replacements": try rows.fetch(replacements)]).adding(counts))
        out.append(",\"constituents\":[")
        var isFirst = true
        try answer.forEachConstituent(of: self) { constituent in
            if !isFirst { out.append(",") }
            out.append(constituent.json(try rows.fetch(constituent.rowID)), .line)
            isFirst = false
            if out.count > Self.flushAt {
                try write(out.view.array)
                out.removeAll()
            }
        }
        out.append("],")
        out.append(membersOf: .row(evidence.members))
        out.append("}\n")
        try write(out.view.array)
    }

    /// Bytes of a line that are written at once.
    private static let flushAt = 1 << 16

    private var names: JSON {
        .row([
            "type": type, "basis": basis.rawValue, "workout": workout, "completeness": completeness.rawValue,
        ])
    }

    private var counts: JSON.Members {
        [
            "constituentCount": evidence.constituentCount, "declaredCount": declaredCount,
            "foundCount": evidence.foundCount,
        ]
    }
}

extension ConsolidationGroup.Constituent {
    /// The constituent in its group's line.
    fileprivate func json(_ record: RecordRow) -> JSON {
        let constituent = JSON.row([
            "identity": record.identity, "version": record.version, "ordinal": record.ordinal,
            "lastVisibleAt": lastVisibleAt, "disappeared": disappearedRowID != nil,
        ])
        return isNested ? constituent.adding(["nested": true]) : constituent
    }
}

extension GroupEvidence {
    fileprivate var members: JSON.Members {
        [
            "sumBefore": sum(sumBefore), "sumAfter": sum(sumAfter), "sumDelta": sum(sumDelta),
            "sumTolerance": sum(sumTolerance), "unit": unit, "value": isCumulative ? nil : sumAfter,
            "minimumBefore": minimumBefore, "maximumBefore": maximumBefore, "meanBefore": meanBefore,
            "timeWeightedMeanBefore": timeWeightedMeanBefore, "coverageOverlap": coverageOverlap,
            "spanSeconds": spanSeconds,
        ]
    }

    /// A sum; nil for types whose values do not add up.
    private func sum(_ value: Double) -> Double? { isCumulative ? value : nil }
}
