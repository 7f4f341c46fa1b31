/// The items that are neither records nor workouts: correlations, summaries, clinical records, audiograms and prescriptions.
extension DumpRenderer {
    /// Writes a correlation with its members, which are listed as records of their own as well.
    func correlation(_ sample: Sample, _ type: SampleType, to out: OutputBuffer) {
        out.text(" <Correlation type=\"\(type.identifier)\"")
        sourceAttributes(sample, type, to: out)
        dateAttributes(sample, to: out)
        out.line(">")
        if hasChildren(sample, type) { children(sample, type, indent: 2, to: out) }
        for member in SampleCatalog.types where member.element == .record && member.group == type.group {
            guard var record = phone.samples(of: member, day: sample.day).first(where: { $0.key == sample.key }) else {
                continue
            }
            record.creation = sample.creation
            self.record(record, member, indent: 2, to: out)
        }
        out.line(" </Correlation>")
    }

    func activitySummary(_ sample: Sample, to out: OutputBuffer) {
        var random = phone.generator(Hashing.salt("summary"), day: sample.day)
        let energy =
            SampleCatalog.type(named: "ActiveEnergyBurned").flatMap { dump.units[$0.number] } ?? UnitChoice("kcal")
        out.text(" <ActivitySummary dateComponents=\"")
        out.day(phone.firstDayNumber + sample.day)
        out.byte(0x22)
        out.attribute("activeEnergyBurned", random.between(250, 950) * energy.factor)
        out.attribute("activeEnergyBurnedGoal", (sample.index == 0 ? 480 : 520) * energy.factor)
        out.text(" activeEnergyBurnedUnit=\"\(energy.name)\"")
        if dump.version.number >= 11 { out.text(" appleMoveTime=\"0\" appleMoveTimeGoal=\"0\"") }
        out.text(" appleExerciseTime=\"\(random.integer(4 ... 96))\" appleExerciseTimeGoal=\"30\"")
        out.line(" appleStandHours=\"\(random.integer(6 ... 16))\" appleStandHoursGoal=\"12\"/>")
    }

    /// Writes a clinical record; its file is beside the XML.
    func clinicalRecord(_ sample: Sample, _ type: SampleType, to out: OutputBuffer) {
        let kind = String(type.identifier.dropFirst("ClinicalRecord/".count))
        out.text(
            " <ClinicalRecord type=\"\(kind)\" identifier=\"T\(identifier(sample, kind).text.prefix(13))\"")
        out.text(
            " sourceName=\"Meadowbrook Clinic\" sourceURL=\"https://fhir.meadowbrook.example/r4\" fhirVersion=\"4.0.1\""
        )
        out.attribute("receivedDate", sample.end + 7200, offsetSeconds: dump.offsetSeconds)
        out.line(" resourceFilePath=\"/\(clinicalPath(sample, kind))\"/>")
    }

    func clinicalPath(_ sample: Sample, _ kind: String) -> String {
        "clinical-records/\(kind)-\(identifier(sample, kind + "-file").text).json"
    }

    func audiogram(_ sample: Sample, _ type: SampleType, to out: OutputBuffer) {
        out.text(" <Audiogram type=\"\(type.identifier)\"")
        sourceAttributes(sample, type, to: out)
        dateAttributes(sample, to: out)
        out.line(">")
        metadata("HKWasUserEntered", "1", indent: 2, to: out)
        for (position, frequency) in [250, 500, 1000, 2000, 4000, 8000].enumerated() {
            let level = Int(Hashing.combine(phone.seed, sample.key, UInt64(position)) % 30)
            out.text("  <SensitivityPoint frequencyValue=\"\(frequency)\" frequencyUnit=\"Hz\"")
            out.text(" leftEarValue=\"\(level)\" leftEarUnit=\"dBHL\"")
            if dump.version.number >= 14 { out.text(" leftEarMasked=\"0\" leftEarClampingRangeLowerBound=\"-10\"") }
            out.line(" rightEarValue=\"\(level + 5)\" rightEarUnit=\"dBHL\"/>")
        }
        out.line(" </Audiogram>")
    }

    /// Writes a prescription for glasses.
    func visionPrescription(_ sample: Sample, _ type: SampleType, to out: OutputBuffer) {
        out.text(" <VisionPrescription type=\"\(type.identifier)\"")
        out.attribute("dateIssued", sample.start, offsetSeconds: dump.offsetSeconds)
        out.attribute("expirationDate", sample.start + 63_072_000, offsetSeconds: dump.offsetSeconds)
        out.line(">")
        for eye in ["RightEye", "LeftEye"] {
            let quarter = Int(Hashing.combine(phone.seed, sample.key, Hashing.salt(eye)) % 12)
            out.line(
                "  <\(eye) sphere=\"-\(quarter / 4).\(quarter % 4 * 25)\" sphereUnit=\"D\" axis=\"\(quarter * 15)\" axisUnit=\"deg\"/>"
            )
        }
        metadata("HKWasUserEntered", "1", indent: 2, to: out)
        out.line(" </VisionPrescription>")
    }
}
