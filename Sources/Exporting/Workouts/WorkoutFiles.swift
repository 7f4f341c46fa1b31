internal import Basics
internal import Foundation
internal import HealthModel
package import Store
package import Training

/// The forms of a workout file.
package enum WorkoutFileFormat: String, Sendable, CaseIterable {
    case tcx, gpx, csv

    /// A workout's file.
    ///
    /// - Parameter laps: where laps end in a TCX file; nil for kilometres.
    /// - Throws: `noRoute` for a GPX file without positions.
    package func bytes(_ finding: WorkoutFinding, laps: WorkoutLaps?, withPositions: Bool) throws -> [UInt8] {
        switch self {
        case .tcx: TCXFile.bytes(finding, laps: laps ?? .km, withPositions: withPositions)
        case .gpx: try GPXFile.bytes(finding, withPositions: withPositions)
        case .csv: WorkoutCSV.bytes(finding, withPositions: withPositions)
        }
    }
}

/// Many workouts at once: a folder, or a zip of one, with a file for each and `index.csv`.
package struct WorkoutFiles {
    package var format: WorkoutFileFormat
    package var laps: WorkoutLaps?
    package var withPositions = true
    package var provenance = Provenance.full
    /// The archive's key, for pseudonyms.
    package var key: ArchiveKey?
    /// Whether an earlier output in the place may be replaced.
    package var force = false
    package var isCancelled: () -> Bool = { false }
    /// Called with the number of workouts done.
    package var progress: (Int) -> Void = { _ in }

    package static let indexName = "index.csv"
    private static let folder = "workouts"
    private static let columns = [
        "file", "identity", "activity", "start", "end", "timeZone", "durationSeconds", "distance", "activeEnergy",
        "averageHeartRate", "source", "byteCount", "sha256",
    ]

    /// What was written.
    package struct Outcome {
        package var workouts = 0
        /// Workouts without a file: a GPX file needs positions.
        package var withoutFile = 0
        /// Of all files before compression.
        package var byteCount: Int64 = 0
        /// Of the index, in hexadecimal.
        package var indexSHA256 = ""
    }

    package init(_ format: WorkoutFileFormat) { self.format = format }

    /// Writes the workouts of a question, oldest first.
    ///
    /// - Parameters:
    ///   - output: a folder; a name that ends with `.zip` is a zip, and `-` one on standard output.
    ///   - archive: the path of the archive, which no output replaces.
    /// - Throws: `keyUnreadable`, `cannotCreate`, `diskFull`, `inputOutput`, `interrupted`; nothing is left behind then.
    /// - Complexity: memory for one workout and the index.
    package func write(
        _ reader: WorkoutReader, _ question: WorkoutPage.Question, to output: String, archive: String
    ) throws -> Outcome {
        let permission = OutputGuard(archive: archive)
        let filter = try ProvenanceFilter(provenance, key: key)
        let time = ZipTime(local: reader.observation.observedAt + Int64(reader.observation.offsetSeconds ?? 0))
        if output == BagExport.Options.standardOutput {
            let zip = try UnsafeZipWriter(.standardOutput(permission), time, .fast)
            return try write(reader, question, filter, to: ZippedFolder(Self.folder, zip))
        }
        guard output.hasSuffix(".zip") else {
            let sink = try OutputFolder(output, permission, .workouts, force: force)
            return try write(reader, question, filter, to: sink)
        }
        let place = try OutputPlace(output, .file("zip of workouts"), permission, replaces: force)
        let mask = umask(0o077)
        defer { umask(mask) }
        do {
            let zip = try UnsafeZipWriter(HashedFile(place.temporary), time, .usual)
            let outcome = try write(reader, question, filter, to: ZippedFolder(Self.folder, zip))
            try place.publish()
            return outcome
        } catch {
            place.discard()
            throw error
        }
    }

    private func write(
        _ reader: WorkoutReader, _ question: WorkoutPage.Question, _ filter: ProvenanceFilter, to sink: any MemberSink
    ) throws -> Outcome {
        var outcome = Outcome()
        var index = CSVWriter(guardsFormulas: true)
        index.appendRow(Self.columns)
        var taken: Set<String> = []
        var truthQuestion = WorkoutTruth.Question()
        truthQuestion.length = laps == .mile ? .mile : .km
        truthQuestion.source = laps == .segments ? .segments : nil
        try reader.forEachPlace(question) { place in
            if isCancelled() { throw FileFailure.interrupted }
            let finding = try reader.finding(place, truthQuestion)
            outcome.workouts += 1
            var written: WrittenMember?
            do {
                let bytes = try format.bytes(finding, laps: laps, withPositions: withPositions)
                try sink.begin(Self.name(finding, format, &taken))
                try bytes.withByteView { try sink.append($0) }
                written = try sink.end()
            } catch let error as HealthProbeError where error.code == .noRoute {
                outcome.withoutFile += 1
            }
            outcome.byteCount += written?.file.byteCount ?? 0
            index.appendRow(Self.row(finding, filter, written))
            progress(outcome.workouts)
        }
        try sink.begin(Self.indexName)
        try index.bytes.withByteView { try sink.append($0) }
        let written = try sink.end()
        outcome.byteCount += written.file.byteCount
        outcome.indexSHA256 = written.file.sha256.hex
        if isCancelled() { throw FileFailure.interrupted }
        try sink.finish()
        return outcome
    }

    /// `2022-10-21_0712_Running.gpx` on the workout's own clocks; of several such ones the later have a number.
    private static func name(
        _ finding: WorkoutFinding, _ format: WorkoutFileFormat, _ taken: inout Set<String>
    ) -> String {
        let start = finding.truth.facts.interval.start
        let offset = finding.zone.secondsFromGMT(for: Date(timeIntervalSince1970: start))
        let printed = ByteBuffer(capacity: 32)
        var dates = InstantPrinter()
        dates.append(Int64(start.rounded(.down)), offsetSeconds: Int32(offset / 60 * 60), to: printed)
        let time = printed.view.string
        let clock = time.dropFirst(11).prefix(5).filter { $0 != ":" }
        // Words of HealthKit alone; another activity is a text of an export.
        let activity = finding.truth.facts.activity.map(shortValue).flatMap { word in
            word.count <= 60 && word.utf8.allSatisfy { Character(Unicode.Scalar($0)).isLetter && $0 < 0x80 }
                ? word : nil
        }
        let stem = "\(time.prefix(10))_\(clock)_\(activity ?? "Workout")"
        var name = "\(stem).\(format.rawValue)"
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            name = "\(stem)_\(number).\(format.rawValue)"
        }
        return name
    }

    private static func row(
        _ finding: WorkoutFinding, _ filter: ProvenanceFilter, _ written: WrittenMember?
    ) -> [String] {
        let truth = finding.truth
        let interval = truth.facts.interval
        func text(_ value: Double?) -> String { value.map { TCXFile.number($0) } ?? "" }
        let heart = truth.heldHeartRate?.summary(in: interval, truth.active).average
        return [
            written?.path ?? "", finding.workout.identity.hex, truth.facts.activity.flatMap(filter.text) ?? "",
            ISO8601.string(unixSeconds: interval.start), ISO8601.string(unixSeconds: interval.end), finding.zoneName,
            text(truth.active.activeSeconds), text(truth.distance.samples ?? truth.distance.value),
            text(truth.energy.active), text(heart),
            finding.workout.row.sourceName.flatMap { filter.identifying($0, domain: "source") } ?? "",
            written.map { "\($0.file.byteCount)" } ?? "", written?.file.sha256.hex ?? "",
        ]
    }
}

extension OutputSort {
    /// A folder of workout files; a folder with anything more in it is none.
    static let workouts = OutputSort(name: "folder of workouts") { path, mode in
        guard mode & S_IFMT == S_IFDIR, let names = try? FileManager.default.subpathsOfDirectory(atPath: path) else {
            return false
        }
        let endings = WorkoutFileFormat.allCases.map { "." + $0.rawValue }
        return names.isEmpty
            || names.contains(WorkoutFiles.indexName)
                && names.allSatisfy { name in !name.contains("/") && endings.contains { name.hasSuffix($0) } }
    }
}
