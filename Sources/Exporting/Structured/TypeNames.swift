internal import HealthModel

/// Sample types as an export prints them: the name of an unknown element that is no word of a format is free text.
struct TypeNames {
    /// The types that are printed otherwise, by id.
    let byID: [Int64: String]
    private let byIdentifier: [ExactText: String]

    /// - Parameter types: all of the archive.
    init(_ types: [(id: Int64, identifier: String)], _ filter: ProvenanceFilter) {
        var (byID, byIdentifier): ([Int64: String], [ExactText: String]) = ([:], [:])
        var number = 0
        // Ids grow with what is imported, so that later types change no number.
        for type in filter.isFull ? [] : types.sorted(by: { $0.id < $1.id })
        where type.identifier.hasPrefix(SampleType.elementPrefix) {
            let name = String(type.identifier.dropFirst(SampleType.elementPrefix.count))
            guard !PlainText.isName(name) else { continue }
            number += 1
            let shown = SampleType.elementPrefix + "_" + (filter.name(name) ?? "\(number)")
            byID[type.id] = shown
            byIdentifier[ExactText(type.identifier)] = shown
        }
        (self.byID, self.byIdentifier) = (byID, byIdentifier)
    }

    /// A type's identifier as it is printed.
    func printed(_ identifier: String) -> String {
        byIdentifier.isEmpty ? identifier : byIdentifier[ExactText(identifier)] ?? identifier
    }
}
