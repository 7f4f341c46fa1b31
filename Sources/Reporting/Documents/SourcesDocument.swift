internal import Basics
internal import HealthModel
package import Presentation
package import Questions

extension SourceList {
    /// Bytes of a page that each table may have.
    private static let room = 100_000
    /// The sources with their records by type.
    ///
    /// - Parameters:
    ///   - latest: the observation whose records of a source and a type are led to.
    ///   - rows: of each table, at most.
    package func document(
        chain: String, _ zone: DisplayZone, latest: Int64? = nil, rows: Int = .max
    ) -> Document {
        var document = Document(title: "Sources of chain \(chain), times in \(zone.name)")
        guard !sources.isEmpty else {
            document.paragraph("The chain has no records of a source.")
            return document
        }
        var table = Table([
            .left("Source", maxWidth: 80), .right("Records"), .right("Types", leftOut: 3), .exact("First start"),
            .exact("Last end"),
            .left("Versions", leftOut: 1), .left("Devices", leftOut: 2),
        ])
        var types = Table([.left("Source", maxWidth: 80), Table.Column("Type", .name, maxWidth: 80), .right("Records")])
        for source in sources {
            table.addRow(
                [
                    source.name, Counts.grouped(source.count), Counts.grouped(source.types.count),
                    zone.time(source.firstStart), zone.time(source.lastEnd), source.versions.joined(separator: ", "),
                    source.deviceNames.joined(separator: ", "),
                ], instants: [3: source.firstStart, 4: source.lastEnd])
            for entry in source.types {
                types.addRow(
                    [source.name, shortIdentifier(entry.type), Counts.grouped(entry.count)],
                    links: [
                        1: .type(entry.type), 2: latest.map { .records(at: $0, type: entry.type, source: source.name) },
                    ])
            }
        }
        if rows < .max {
            table.keepFirst(min(rows, table.rowCount(within: Self.room)))
            types.keepFirst(min(rows, types.rowCount(within: Self.room)))
        }
        document.append(.table(table))
        document.section("Records by type", types)
        return document
    }
}

extension SourceList.Source {
    /// The devices' names with their models, each once.
    fileprivate var deviceNames: [String] {
        var names: [String] = []
        for device in devices.compactMap({ JSON.parse($0) }) {
            let (own, hardware) = (device["name"]?.string, device["hardware"]?.string)
            let name = own.map { own in hardware.map { "\(own) (\($0))" } ?? own } ?? hardware ?? ""
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }
}
