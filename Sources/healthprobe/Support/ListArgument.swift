internal import ArgumentParser

/// The values of an option that takes several: repeated, or with commas between, or both.
enum ListArgument {
    /// The values, each once and in the order of their cases, so that one question has one name.
    ///
    /// - Throws: `ValidationError` for what is none of them.
    static func values<Value: RawRepresentable<String> & CaseIterable>(
        _ arguments: [String], option: String
    ) throws -> [Value] {
        let names = arguments.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        for name in names where Value(rawValue: name) == nil {
            let known = Value.allCases.map(\.rawValue)
            let list = known.dropLast().joined(separator: ", ") + " and " + (known.last ?? "")
            throw ValidationError("\(option) takes \(list), not \(name).")
        }
        return Value.allCases.filter { names.contains($0.rawValue) }
    }
}
