package import Basics
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
        var table = Table([
            .exact("Recorded"), .left("Classification"), .right("Heart rate"), .left("Symptoms", leftOut: 2),
            .right("Seconds", leftOut: 1), .left("Device", leftOut: 3), .exact("Identity", leftOut: 4),
        ])
        for one in reader.all.reversed() {
            table.addRow(
                [
                    zone.time(one.recordedAt), one.classification ?? "-", Wording.fixed(one.heartRate?.average, 0),
                    one.symptoms ?? "", Wording.fixed(one.durationSeconds, 0), one.device ?? "", one.identity.prefix,
                ],
                links: [
                    0: .init("ecg", ["ecg": one.identity.hex, "at": "\(reader.observation.id)"]),
                    6: .sample(one.identity),
                ],
                instants: [0: one.recordedAt])
        }
        document.append(.table(table))
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
    /// The line of an ECG of `ecg --json`.
    package func json(at observation: Int64) -> JSON {
        JSON.line(
            "ecg",
            [
                "observationId": observation, "identity": identity, "version": version,
                "recordedAt": JSON.instant(recordedAt), "classification": classification, "symptoms": symptoms,
                "heartRateAverage": Rounding.measure.json(heartRate?.average),
                "heartRateRecordCount": heartRate?.recordCount ?? 0, "device": device,
                "softwareVersion": softwareVersion, "lead": lead, "unit": unit,
                "sampleRate": Rounding.measure.json(sampleRate), "sampleCount": sampleCount,
                "durationSeconds": Rounding.measure.json(durationSeconds),
            ])
    }
}

extension ElectrocardiogramReader {
    /// The lines of `ecg --json`, the newest ECG first.
    package var lines: [UInt8] {
        let out = ByteBuffer()
        for one in all.reversed() { out.append(line: one.json(at: observation.id)) }
        return out.view.array
    }

    /// The rows of `ecg --csv`.
    ///
    /// - Parameter forTerminal: show what a terminal could obey instead of handing it on.
    package func csv(forTerminal: Bool) -> [UInt8] {
        let columns = [
            "recordedAt", "classification", "symptoms", "heartRateAverage", "heartRateRecordCount", "device",
            "softwareVersion", "lead", "unit", "sampleRate", "sampleCount", "durationSeconds", "identity",
        ]
        var writer = CSVWriter(guardsFormulas: true)
        writer.appendRow(columns)
        for one in all.reversed() { writer.append(one.json(at: observation.id), columns, forTerminal: forTerminal) }
        return writer.bytes
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
