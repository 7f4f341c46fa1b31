/// The short form of a sample type's identifier, for people: `HeartRate`, `SleepAnalysis`, `Workout`.
///
/// What follows `…TypeIdentifier` is the short form, or what is between `HK` and it when nothing follows;
/// `HKDataTypeSleepDurationGoal` has no `Identifier`. Everything else, like `ClinicalRecord/…`, is its own short form.
package func shortIdentifier(_ type: String) -> String {
    guard type.hasPrefix("HK") else { return type }
    if let marker = type.range(ofASCII: "TypeIdentifier") {
        let name = type[marker.upperBound...]
        if !name.isEmpty { return String(name) }
        let kind = type[type.index(type.startIndex, offsetBy: 2)..<marker.lowerBound]
        return kind.isEmpty ? type : String(kind)
    }
    let dataType = "HKDataType"
    return type.hasPrefix(dataType) && type.count > dataType.count ? String(type.dropFirst(dataType.count)) : type
}

/// `HKCategoryValueSleepAnalysisAsleep` as `SleepAnalysisAsleep`, `HKWorkoutActivityTypeRunning` as `Running`.
package func shortValue(_ text: String) -> String {
    for prefix in ["HKCategoryValue", "HKWorkoutActivityType"] where text.hasPrefix(prefix) && text != prefix {
        return String(text.dropFirst(prefix.count))
    }
    return text
}

extension String {
    /// The first occurrence of an ASCII text, without the weight of Foundation's search.
    fileprivate func range(ofASCII text: String) -> Range<String.Index>? {
        var start = utf8.startIndex
        while start < utf8.endIndex {
            if utf8[start...].starts(with: text.utf8) {
                return start..<utf8.index(start, offsetBy: text.utf8.count)
            }
            start = utf8.index(after: start)
        }
        return nil
    }
}
