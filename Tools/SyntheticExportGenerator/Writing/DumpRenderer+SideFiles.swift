/// The files beside the XML, whose number follows from the same pass over the days.
extension DumpRenderer {
    /// The name of an electrocardiogram's file; the number distinguishes those of one day.
    func electrocardiogramPath(_ sample: Sample) -> String {
        let local = CivilDate.split(sample.start + dump.offsetSeconds, by: 86_400).quotient
        return "electrocardiograms/ecg_\(OutputBuffer.printed { $0.day(local) }).csv"
    }

    /// Writes 30 seconds of an electrocardiogram; words and decimal separator follow the language.
    func electrocardiogram(_ sample: Sample, to out: OutputBuffer) {
        let isGerman = dump.locale.hasPrefix("de")
        let words =
            isGerman
            ? [
                "Name", "Geburtsdatum", "Aufnahmedatum", "Klassifizierung", "Sinusrhythmus", "Symptome",
                "Softwareversion", "Gerät", "Abtastrate", "Ableitung", "Ableitung I", "Einheit",
            ]
            : [
                "Name", "Date of Birth", "Recorded Date", "Classification", "Sinus Rhythm", "Symptoms",
                "Software Version", "Device", "Sample Rate", "Lead", "Lead I", "Unit",
            ]
        out.block(
            "\(words[0]),Robin Example\n\(words[1]),\"\(isGerman ? "17.05.1984" : "May 17, 1984")\"\n\(words[2]),")
        out.date(sample.start, offsetSeconds: dump.offsetSeconds)
        out.block(
            "\n\(words[3]),\(words[4])\n\(words[5]),\n\(words[6]),1.90\n\(words[7]),\"Watch6,7\"\n\(words[8]),512 hertz\n\n\n"
        )
        out.block("\(words[9]),\(words[10])\n\(words[11]),µV\n\n")
        var random = SeededGenerator(Hashing.combine(phone.seed, Hashing.salt("ecg"), sample.key))
        for position in 0..<15_360 {
            let phase = position % 440
            let peak = phase < 12 ? (phase < 6 ? phase : 12 - phase) * 180 : 0
            let thousandths = (peak - 40) * 1000 + random.integer(-30_000...30_000)
            if thousandths < 0 { out.byte(0x2D) }
            out.decimal(abs(thousandths), digits: 3, point: isGerman ? 0x2C : 0x2E)
            out.newline()
        }
    }

    /// Writes a clinical record as FHIR JSON.
    func clinicalRecord(_ sample: Sample, kind: String, to out: OutputBuffer) {
        let identifier = self.identifier(sample, kind).text
        out.text(
            "{\"resourceType\":\"\(kind == "LabResult" ? "Observation" : "Immunization")\",\"id\":\"\(identifier)\",\"status\":\"final\""
        )
        out.text(",\"effectiveDateTime\":\"")
        out.isoDate(sample.start)
        out.text("\",\"subject\":{\"display\":\"Robin Example\"},\"code\":{\"text\":\"Invented test \(sample.index)\"}")
        out.line(",\"valueQuantity\":{\"value\":\(Int(sample.value) / 10),\"unit\":\"mmol/L\"}}")
    }

    /// Writes `export_cda.xml`, which holds some of the vitals in another form and is none of a reader's business.
    func clinicalDocument(to out: OutputBuffer) {
        out.block(
            """
            <?xml version="1.0"?>
            <ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
             <title>Health Data Export</title>
             <effectiveTime value="20250630000000+0200"/>
             <entry typeCode="DRIV"><observation classCode="OBS"><text><sourceName>Health</sourceName><value>72</value>\
            <type>HKQuantityTypeIdentifierHeartRate</type><unit>count/min</unit></text></observation></entry>
            </ClinicalDocument>

            """)
    }
}
