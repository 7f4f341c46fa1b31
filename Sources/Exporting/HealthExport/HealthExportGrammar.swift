internal import Basics
internal import ExportReading
internal import HealthModel

/// The document type of a written export: the names of the known grammar and those beside it that this archive met.
///
/// Every element may hold every other and any text, and no attribute is required: exports leave Apple's own content
/// models in many places, and nothing that was read may make the file invalid. What is declared are the names.
struct HealthExportGrammar {
    /// The newest export version known; readers take it from the comment.
    static let version = "14"
    /// Bytes of declarations beside the known grammar: a reader takes no prolog over its cap.
    private static let mostBytes = ExportReading.Limits.prologBytes / 2
    private var attributes: [String: Set<String>]

    /// - Parameters:
    ///   - unknownNames: `element`, `element@attribute` and `element#text` beside the known grammar.
    ///   - reduced: what becomes of names that are no words of a format; nil where they are printed as they are.
    init(unknownNames: [String], reduced: ReducedForm?) {
        attributes = KnownGrammar.attributes
        attributes["HealthData"] = ["locale"]
        attributes["ExportDate"] = ["value"]
        for name in unknownNames where name != UnknownName.others {
            let parts = name.split(separator: "@", maxSplits: 1).map(String.init)
            let element = parts[0].split(separator: "#").first.map(String.init) ?? parts[0]
            let names = parts.dropFirst().compactMap { reduced == nil ? $0 : reduced?.attribute($0) }
            attributes[reduced?.element(element) ?? element, default: []].formUnion(names)
        }
    }

    /// Appends the internal subset.
    ///
    /// - Returns: whether all names are declared; of too many the last ones are left out.
    func append(to out: ByteBuffer) -> Bool {
        var left = Self.mostBytes
        func declare(_ text: String, isKnown: Bool) {
            if !isKnown { left -= text.utf8.count }
            if isKnown || left >= 0 { out.append(text) }
        }
        let known = KnownGrammar.attributes
        out.append("<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: \(Self.version) -->\n")
        for (element, names) in attributes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            declare("<!ELEMENT \(element) ANY>\n", isKnown: known[element] != nil)
            for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                declare(
                    "<!ATTLIST \(element) \(name) CDATA #IMPLIED>\n", isKnown: known[element]?.contains(name) == true)
            }
        }
        out.append("]>\n")
        return left >= 0
    }
}
