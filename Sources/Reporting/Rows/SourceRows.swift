package import ArchiveReading
package import TextFormats

extension SourceList: JSONConvertible {
    /// The line of `sources --json`.
    package var json: JSON { .line("sources", ["sources": sources]) }
}

extension SourceList.Source: JSONConvertible {
    package var json: JSON {
        .row([
            "name": name, "versions": versions, "devices": devices.map { JSON.canonical($0) },
            "types": types.map { JSON.row(["type": $0.type, "count": $0.count]) },
            "firstStart": JSON.instant(firstStart), "lastEnd": JSON.instant(lastEnd),
        ])
    }
}
