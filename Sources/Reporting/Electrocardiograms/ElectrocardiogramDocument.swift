internal import Basics
internal import HealthModel
package import Presentation
package import Store
package import Training

/// ECGs for people.
package enum ElectrocardiogramDocument {
    /// What this is not.
    package static let notice =
        "No diagnosis and no medical advice: a recording of one lead as the export has it, drawn to scale. "
        + "The classification is that of the device; nothing is derived from the trace."

    /// The list, the newest first.
    package static func list(_ reader: ElectrocardiogramReader, _ zone: DisplayZone) -> Document {
        var document = Document(title: "ECGs of observation \(reader.observation.id). Times in \(zone.name)")
        guard !reader.all.isEmpty else {
            document.paragraph("The observation has no ECGs.")
            return document
        }
        document.append(
            .table(Electrocardiogram.columns.table(reader.all.reversed(), of: reader.observation.id, Looks(zone))))
        document.paragraph(heartRateNote, .apart)
        document.paragraph(notice)
        return document
    }

    /// What one file states.
    package static func one(_ one: Electrocardiogram, at observation: Observation, _ zone: DisplayZone) -> Document {
        var document = Document(title: "ECG of \(zone.time(one.recordedAt)). Times in \(zone.name)")
        document.facts([
            ("Classification", one.classification), ("Symptoms", one.symptoms),
            (
                "Heart rate",
                one.heartRate.map {
                    "\(Wording.fixed($0.average, 0)) bpm, mean of \(Counts.of($0.recordCount, "record"))"
                }
            ),
            ("Length", one.durationSeconds.map { Wording.fixed($0) + " s" }),
            ("Samples", Counts.grouped(one.sampleCount)),
            ("Sample rate", one.sampleRate.map { Wording.fixed($0, 3) + " Hz" }), ("Lead", one.lead),
            ("Unit", one.unit), ("Device", one.device), ("Software", one.softwareVersion),
            ("Identity", one.identity.hex), ("Observation", "\(observation.id)"),
        ])
        document.paragraph(heartRateNote, .apart)
        document.paragraph(notice)
        return document
    }

    private static let heartRateNote =
        "Heart rate: the mean of the heart rate records that start during the recording; the file states none."
}

extension Electrocardiogram {
    /// What `ecg` says of an ECG of an observation. CSV and the table have its identity at their end.
    package static let columns = Columns<Electrocardiogram, Int64>("ecg") {
        Figure("observationId", .count, "The observation.", csv: "") { $0.answer }
        Figure("identity", .digest, "Which ECG it is.", .last) { $0.row.identity }
            .shown(.exact("Identity", leftOut: 4), link: { .sample($0.row.identity) }) { $0.row.identity.prefix }
        Figure("version", .digest, "Which representation of it.", csv: "") { $0.row.version }
        Figure("recordedAt", .instant, "When it was recorded.") { JSON.instant($0.row.recordedAt) }
            .shown(
                .exact("Recorded"), link: { .init("ecg", ["ecg": $0.row.identity.hex, "at": "\($0.answer)"]) },
                instant: { $0.row.recordedAt }
            ) { $0.looks.zone.time($0.row.recordedAt) }
        Figure("classification", .text.optional, "The phone's word for the rhythm.") { $0.row.classification }
            .shown(.left("Classification")) { $0.row.classification ?? "-" }
        Figure("symptoms", .text.optional, "The symptoms that were entered.") { $0.row.symptoms }
            .shown(.left("Symptoms", leftOut: 2)) { $0.row.symptoms ?? "" }
        Figure(
            "heartRateAverage", .number(.measure, in: "bpm").optional,
            "The mean of the heart rate records that start during the recording."
        ) { $0.row.heartRate?.average }
        .shown(.right("Heart rate"), .before("symptoms")) { Wording.fixed($0.row.heartRate?.average, 0) }
        Figure("heartRateRecordCount", .count, "Their number.") { $0.row.heartRate?.recordCount ?? 0 }
        Figure("device", .text.optional, "The device.") { $0.row.device }
            .shown(.left("Device", leftOut: 3)) { $0.row.device ?? "" }
        Figure("softwareVersion", .text.optional, "The version of its software.") { $0.row.softwareVersion }
        Figure("lead", .text.optional, "The lead.") { $0.row.lead }
        Figure("unit", .text.optional, "The unit of the samples in the file.") { $0.row.unit }
        Figure("sampleRate", .number(.measure, in: "Hz").optional, "Samples a second.") { $0.row.sampleRate }
        Figure("sampleCount", .count, "How many samples it has.") { $0.row.sampleCount }
        Figure("durationSeconds", .number(.measure, in: "s").optional, "Its length.") { $0.row.durationSeconds }
            .shown(.right("Seconds", leftOut: 1), .before("device")) { Wording.fixed($0.row.durationSeconds, 0) }
    }

    private typealias Figure = Column<Electrocardiogram, Int64>
}

extension ElectrocardiogramReader {
    /// The lines of `ecg --json`, the newest ECG first.
    package var lines: [UInt8] { Electrocardiogram.columns.lines(all.reversed(), of: observation.id) }

    /// The rows of `ecg --csv`.
    ///
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(forTerminal: Bool) -> [UInt8] {
        Electrocardiogram.columns.csv(all.reversed(), of: observation.id, forTerminal: forTerminal)
    }
}

extension ElectrocardiogramTrace {
    /// The samples as CSV: seconds from the first one, and microvolts.
    package var csv: [UInt8] {
        var writer = CSVWriter(guardsFormulas: false)
        writer.appendRow(["seconds", "microvolts"])
        for (place, sample) in microvolts.enumerated() {
            writer.appendRow(["\(Rounding.ratio(Double(place) / sampleRate))", "\(sample)"])
        }
        return writer.bytes
    }
}
