internal import Basics
package import ExportReading
internal import Foundation
internal import HealthModel
internal import History
internal import Questions

/// Reads an export without any archive and counts what is in it.
package struct Inspection {
    private let container: ExportContainer
    private var types: [InspectReport.TypeCount] = []
    private var indexes: [ExactText: Int] = [:]
    private var numbers: [Int32: Int] = [:]
    private var digest = StateDigest()
    private var quarantined: [String: (count: Int64, firstLine: Int64)] = [:]
    private var quarantinedTypes: Set<ExactText> = []
    private var census = FindingsCensus()

    private init(_ container: ExportContainer) { self.container = container }

    /// Reads one export.
    ///
    /// - Parameter progress: called with bytes done and items.
    /// - Throws: `HealthProbeError`, and what `progress` throws.
    package static func run(
        _ container: ExportContainer, progress: (Int64, Int64) throws -> Void
    ) throws -> InspectReport {
        var inspection = Inspection(container)
        var items: Int64 = 0
        let result = try CountedReading().run(container) { page in
            inspection.take(page)
            items += Int64(page.items.count)
        } nested: { item, count in
            inspection.count(item, times: count)
        } progress: { bytes in
            try progress(bytes, items)
        }
        return try inspection.report(result)
    }

    private mutating func index(of type: String) -> Int {
        let name = ExactText(type)
        if let known = indexes[name] { return known }
        indexes[name] = types.count
        types.append(InspectReport.TypeCount(type: type))
        census.begin(type)
        return types.count - 1
    }

    private mutating func take(_ page: ItemPage) {
        for (number, identifier) in page.newTypes { numbers[number] = index(of: identifier) }
        census.define(page)
        for item in page.items { count(item, times: 1) }
        for item in page.quarantined {
            let known = quarantined[item.reason.code]
            quarantined[item.reason.code] = ((known?.count ?? 0) + 1, min(known?.firstLine ?? .max, item.place.line))
            if let type = item.sampleType {
                quarantinedTypes.insert(ExactText(type))
                census.addQuarantined(of: index(of: type))
            }
        }
    }

    private mutating func count(_ item: PreparedItem, times count: Int64) {
        let type = numbers[item.type] ?? 0
        for _ in 0..<count { digest.add(item.identity, item.version) }
        guard types.indices.contains(type) else { return }
        types[type].read += count
        census.add(item, of: type, times: count)
        if let start = item.startDate { types[type].earliestStart = min(types[type].earliestStart ?? .max, start) }
        if let end = item.endDate { types[type].latestEnd = max(types[type].latestEnd ?? .min, end) }
    }

    private func report(_ result: CountedReading.Result) throws -> InspectReport {
        let document = result.document
        var report = InspectReport()
        report.sourceName = container.name
        report.sourceForm = container.form.rawValue
        report.sourceMember = container.mainName
        report.sourceByteCount = container.byteCount
        report.sourceSHA256 = try container.containerDigest()
        report.xmlByteCount = document.xmlByteCount
        report.xmlSHA256 = document.xmlDigest
        report.observedAt = document.header.exportDate?.seconds ?? container.modifiedSeconds
        report.isComplete = document.isComplete
        report.streamDigest = digest.hex
        report.offsetSeconds = document.offsetSeconds.map { Int64($0) }
        report.locale = document.header.locale
        report.exportVersion = document.prolog.exportVersion
        report.stop = document.header.stop.map { (Int64($0.line), $0.byte, $0.reason, $0.message) }
        report.repairs = document.repairs.entries.map {
            .init(name: $0.kind.rawValue, count: Int64($0.count), firstLine: Int64($0.firstLine))
        }
        report.quarantine = quarantined.sorted { $0.key < $1.key }.map {
            .init(name: $0.key, count: $0.value.count, firstLine: $0.value.firstLine)
        }
        report.unknown = document.unknownCounts.merging(result.unknown) { $0 + $1 }.sorted { $0.key < $1.key }.map {
            .init(name: $0.key.text, count: Int64($0.value))
        }
        let account = ObservationAccount(
            isComplete: document.isComplete, missingFolders: container.missingFolders,
            quarantined: quarantinedTypes)
        report.types = types.filter { $0.read > 0 || quarantinedTypes.contains(ExactText($0.type)) }
            .sorted { ExactText($0.type) < ExactText($1.type) }
        for (index, type) in report.types.enumerated() {
            report.types[index].status = account.status(of: type.type, read: type.read)
        }
        try requireReadableSideFiles()
        addSideFiles(to: &report)
        report.warnings += warnings(result)
        report.findings = census.findings()
        try container.requireUnchanged()
        return report
    }

    /// Reads the side files that the counting does not read, as an import does: what cannot be read is not absent.
    ///
    /// - Throws: `inputOutput` where the system cannot read one.
    private func requireReadableSideFiles() throws {
        // A zip was read to its end for its digest.
        guard container.form == .folder else { return }
        for file in container.sideFiles where !ElectrocardiogramFile.isOne(file.path) {
            _ = try container.isWhole(file)
        }
    }

    private func addSideFiles(to report: inout InspectReport) {
        for kind in SideFileKind.allCases {
            let files = container.sideFiles.filter { $0.kind == kind }
            guard !files.isEmpty else { continue }
            // What a zip states may be any number.
            let byteCount = files.reduce(Int64(0)) {
                let (sum, overflows) = $0.addingReportingOverflow($1.byteCount)
                return overflows ? .max : sum
            }
            report.sideFiles.append((kind.rawValue, Int64(files.count), byteCount))
        }
    }

    private func warnings(_ result: CountedReading.Result) -> [String] {
        var found = container.warnings
        if result.document.header.exportDate == nil {
            let isThere = result.document.header.exportDateText != nil
            found.append(
                "The export has no ExportDate\(isThere ? " that is a date" : ""); its file's modification time is used instead."
            )
        }
        if result.hasUncompared {
            found.append("Too many nested records: those equal to top-level ones may be counted twice.")
        }
        return found
    }
}
