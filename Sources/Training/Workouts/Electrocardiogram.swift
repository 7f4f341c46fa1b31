internal import Basics
internal import ExportReading
package import HealthModel
package import Questions
package import Store

/// An ECG as its file states it, with the heart rate that was recorded meanwhile.
///
/// The header's words follow the phone's language and are kept as they are. Nothing is derived from the trace.
package struct Electrocardiogram: Sendable {
    package var identity: Digest256
    package var version: Digest256
    /// Unix seconds.
    package var recordedAt: Int64
    /// The phone's word for the rhythm, as `Sinus Rhythm`.
    package var classification: String?
    package var symptoms: String?
    package var device: String?
    package var softwareVersion: String?
    package var lead: String?
    /// The unit of the samples in the file, as `µV`.
    package var unit: String?
    /// Samples a second; nil where the file states none.
    package var sampleRate: Double?
    package var sampleCount: Int
    /// The mean of the heart rate records that start during the recording, and their number; no ECG file states one.
    package var heartRate: (average: Double, recordCount: Int)?

    /// Seconds; nil without a sample rate.
    package var durationSeconds: Double? { sampleRate.map { Double(sampleCount) / $0 } }

    /// The stored file that reads as the item on which a cursor is; nil where the archive has none.
    package static func file(of row: VersionCursor, in stored: StoredSideFiles) throws -> StoredSideFiles.File? {
        let version = try row.version
        for file in try stored.files(ofSample: row.sampleID) {
            var bytes: [UInt8] = []
            guard file.byteCount <= ElectrocardiogramFile.maximumBytes else { continue }
            try stored.read(file.id) { bytes.append(contentsOf: $0) }
            if let hashes = ElectrocardiogramFile.hashes(bytes), hashes.version == version { return file }
        }
        return nil
    }
}

/// The samples of an ECG.
package struct ElectrocardiogramTrace: Sendable {
    /// Microvolts, one every `1 / sampleRate` seconds.
    package var microvolts: [Double]
    package var sampleRate: Double

    package init(microvolts: [Double], sampleRate: Double) {
        (self.microvolts, self.sampleRate) = (microvolts, sampleRate)
    }
}

/// Reads the ECGs that an observation shows.
package struct ElectrocardiogramReader {
    private let snapshot: Snapshot
    private let set: RecordSet
    private let types: [String: Int64]
    package let observation: Observation
    /// By the instant of recording.
    package let all: [Electrocardiogram]

    /// - Parameter interval: those that were recorded in it (Unix seconds); nil for all.
    /// - Complexity: the rows of these ECGs, and for each the heart rates of its half minute.
    package init(_ snapshot: Snapshot, at observation: Observation, within interval: Range<Int64>? = nil) throws {
        (self.snapshot, self.observation) = (snapshot, observation)
        set = .visible(snapshot.chain, at: observation)
        types = try snapshot.sampleTypeIDs()
        guard let type = types[SampleType.electrocardiogram] else {
            all = []
            return
        }
        var found: [Electrocardiogram] = []
        let rows = try VersionCursor.starting(snapshot.db, of: set, type: type)
        rows.restart(from: interval?.lowerBound ?? .min, below: interval?.upperBound ?? .max)
        while try rows.next() {
            guard let item = try rows.item, item.kind == .electrocardiogram, let start = try rows.start else {
                continue
            }
            try found.append(Self.electrocardiogram(item, start, rows))
        }
        let heartRates = try HeartRates(snapshot, set, types)
        for index in found.indices { found[index].heartRate = try heartRates?.mean(during: found[index]) }
        all = found
    }

    private static func electrocardiogram(
        _ item: StoredItem, _ start: Int64, _ row: VersionCursor
    ) throws -> Electrocardiogram {
        func text(_ name: String) -> String? {
            item.attributes.first { $0.name == name }?.value.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        return try Electrocardiogram(
            identity: row.identity, version: row.version, recordedAt: start, classification: text("classification"),
            symptoms: text("symptoms"), device: text("device"), softwareVersion: text("softwareVersion"),
            lead: text("lead"), unit: text("unit"), sampleRate: text("sampleRate").flatMap(rate),
            sampleCount: Int(item["samples"]?["count"]?.int ?? 0))
    }

    /// The number at the head of `512 hertz` or `512,844 Hertz`.
    private static func rate(_ text: String) -> Double? {
        let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "," }
        let rate = Double(String(digits.map { $0 == "," ? "." : $0 }))
        return rate.flatMap { (1...100_000).contains($0) ? $0 : nil }
    }

    /// The ECG that a person means: the first digits of its identity, `latest`, `latest~1`, or `@2024-05-01`.
    ///
    /// - Parameter day: the local day of an instant, as days from 1970-01-01.
    /// - Throws: `usage` where there is none, or several.
    package func find(_ text: String, day: (Int64) -> Int64) throws -> Electrocardiogram {
        var found: [Electrocardiogram] = []
        if text == "latest" {
            found = all.suffix(1)
        } else if text.hasPrefix("latest~"), let steps = Int(text.dropFirst("latest~".count)) {
            found = steps >= 0 && steps < all.count ? [all[all.count - 1 - steps]] : []
        } else if text.hasPrefix("@"), let wanted = CivilDate.daysSince1970(String(text.dropFirst())) {
            found = all.filter { day($0.recordedAt) == Int64(wanted) }
        } else if (4...64).contains(text.utf8.count) {
            found = all.filter { $0.identity.hex.hasPrefix(text.lowercased()) }
        }
        guard let first = found.first else {
            throw HealthProbeError(
                .usage, "Observation \(observation.id) has no ECG '\(text)'.",
                hint:
                    "healthprobe ecg lists them. Give the first digits of an identity, latest, latest~1 or @2024-05-01."
            )
        }
        guard found.count == 1 else {
            let list = found.prefix(10).map { "\($0.identity.prefix) (\(ISO8601.string(unixSeconds: $0.recordedAt)))" }
            throw HealthProbeError(
                .usage, "\(found.count) ECGs of observation \(observation.id) fit '\(text)'.",
                hint: "Choose one of: \(list.joined(separator: ", "))\(found.count > 10 ? ", …" : "").")
        }
        return first
    }

    /// The samples of an ECG; nil where the archive does not have its file, or it does not say how fast it was sampled.
    ///
    /// - Throws: `integrityFailure` where the stored bytes are damaged.
    package func trace(of one: Electrocardiogram) throws -> ElectrocardiogramTrace? {
        guard let rate = one.sampleRate, let type = types[SampleType.electrocardiogram] else { return nil }
        let stored = try StoredSideFiles(snapshot.db, history: snapshot.chain.ids(through: observation))
        let rows = try VersionCursor.starting(snapshot.db, of: set, type: type)
        rows.restart(from: one.recordedAt, below: one.recordedAt + 1)
        defer { rows.reset() }
        while try rows.next() {
            guard try rows.version == one.version, let file = try Electrocardiogram.file(of: rows, in: stored) else {
                continue
            }
            let samples = ElectrocardiogramFile.samples(try StoredSideFiles.bytes(snapshot.db, of: file.id))
            let scale = Self.microvolts(one.unit)
            return ElectrocardiogramTrace(microvolts: samples.map { $0 * scale }, sampleRate: rate)
        }
        return nil
    }

    /// How many microvolts a unit has; files are in microvolts where they say nothing.
    private static func microvolts(_ unit: String?) -> Double {
        switch unit {
        case "mV": 1000
        case "V": 1_000_000
        default: 1
        }
    }
}

/// The heart rate records around ECGs.
private struct HeartRates {
    private let rows: VersionCursor
    private let facts: DescriptorFacts
    private let units = UnitConverter()

    init?(_ snapshot: Snapshot, _ set: RecordSet, _ types: [String: Int64]) throws {
        guard let type = types[SeriesType.heartRate.rawValue] else { return nil }
        rows = try VersionCursor.starting(snapshot.db, of: set, type: type)
        facts = DescriptorFacts(snapshot.names)
    }

    /// The mean of the records that start during an ECG; nil without one.
    func mean(during one: Electrocardiogram) throws -> (average: Double, recordCount: Int)? {
        // A recording takes 30 seconds; more than a minute is none.
        let seconds = max(1, Int64((one.durationSeconds ?? 30).rounded(.up)))
        rows.restart(from: one.recordedAt, below: one.recordedAt + min(seconds, 60))
        defer { rows.reset() }
        var (sum, count) = (0.0, 0)
        while try rows.next() {
            guard let number = try rows.number, let unit = try facts[rows.descriptorID].unit,
                let value = units.convert(number, from: unit, to: SeriesType.heartRate.unit), value > 0, value <= 300
            else { continue }
            sum += value
            count += 1
        }
        return count == 0 ? nil : (sum / Double(count), count)
    }
}
