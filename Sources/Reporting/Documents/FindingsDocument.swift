package import Basics
internal import HealthModel
package import Presentation
package import Questions

extension Document {
    /// What counts, sums and means of types do not say, a sentence each.
    package mutating func findings(_ findings: [TypeFindings]) {
        section("What counts, sums and means do not say", findings.flatMap(Wording.findings))
    }
}

extension Wording {
    fileprivate static func findings(_ found: TypeFindings) -> [String] {
        let type = shortIdentifier(found.type).quoted
        var sentences: [String] = []
        if found.notNumbers > 0 {
            sentences.append(
                "\(type): \(Counts.of(found.notNumbers, "value")) "
                    + "\(found.notNumbers == 1 ? "is no number" : "are no numbers"), in no sum and no mean.")
        }
        if found.quarantined > 0 {
            sentences.append("\(type): \(Counts.of(found.quarantined, "item")) in quarantine, in no count and no sum.")
        }
        if found.copies > 0 {
            var text =
                "\(type): \(Counts.of(found.copies, "record")) repeat\(found.copies == 1 ? "s" : "") an equal one; "
            text += "the most repeated stands \(Counts.grouped(found.mostCopies)) times"
            if let means = found.means { text += "; mean \(number(means.all)), with each once \(number(means.each))" }
            sentences.append(text + ".")
        }
        return sentences
    }
}

extension TypeFindings: JSONConvertible {
    package var json: JSON {
        .row([
            "type": type, "notNumbers": notNumbers, "quarantined": quarantined, "copies": copies,
            "mostCopies": mostCopies, "mean": means?.all, "meanOfEachOnce": means?.each,
        ])
    }
}
