extension RecordRenderer {
    /// Whether a record has anything inside.
    func hasChildren(_ sample: Sample, _ type: SampleType) -> Bool {
        if let series = sample.series { return series.isMarked }
        switch type.metadata {
        case .none: return false
        case .timeZone: return sample.source.isWatch
        case .beats: return dump.version.number >= 8
        default: return true
        }
    }

    /// Writes metadata and beats.
    func children(_ sample: Sample, _ type: SampleType, indent: Int, to out: OutputBuffer) {
        if let series = sample.series {
            seriesMetadata(series, indent: indent, to: out)
            return
        }
        switch type.metadata {
        case .none: break
        case .heartRate:
            let context = sample.workout > 0 ? "2" : Hashing.mix(sample.key) % 3 == 0 ? "0" : "1"
            metadata("HKMetadataKeyHeartRateMotionContext", context, indent: indent, to: out)
        case .sync:
            metadata("HKMetadataKeySyncIdentifier", identifier(sample, "sync").text, indent: indent, to: out)
            metadata("HKMetadataKeySyncVersion", "\(sample.revision + 1)", indent: indent, to: out)
        case .external:
            metadata("HKExternalUUID", "GL\(1_000_000 + sample.day * 16 + sample.index)", indent: indent, to: out)
            metadata("Meal", sample.index % 2 == 0 ? "before" : "after", indent: indent, to: out)
        case .vo2Max:
            metadata("HKVO2MaxTestType", "2", indent: indent, to: out)
            metadata("HKMetadataKeySyncIdentifier", identifier(sample, "vo2").text, indent: indent, to: out)
            metadata("HKMetadataKeySyncVersion", "1", indent: indent, to: out)
            metadata("HKDateOfEarliestDataUsedForEstimate", earliestDate(sample), indent: indent, to: out)
        case .userEntered: metadata("HKWasUserEntered", "1", indent: indent, to: out)
        case .oxygen:
            metadata(
                "HKMetadataKeyBarometricPressure", "\(98_200 + Int(Hashing.mix(sample.key) % 3000)).5 Pa",
                indent: indent, to: out)
        case .energyEstimate: metadata("HKPhysicalEffortEstimationType", "1", indent: indent, to: out)
        case .meal: metadata("HKFoodType", food(sample), indent: indent, to: out)
        case .timeZone: metadata("HKTimeZone", HomeZone.name, indent: indent, to: out)
        case .beats:
            metadata("HKAlgorithmVersion", "2", indent: indent, to: out)
            beats(sample, indent: indent, to: out)
        }
    }

    /// The UUID that belongs to a sample and a purpose, in every dump alike.
    func identifier(_ sample: Sample, _ purpose: String) -> UniqueIdentifier {
        UniqueIdentifier(hash: Hashing.combine(phone.seed, Hashing.salt(purpose), sample.key))
    }

    /// The condenser's identifier: version, workout, bounds with five decimals, count.
    static func seriesIdentifier(_ series: SeriesMark) -> String {
        func ticks(_ value: Int) -> String { OutputBuffer.printed { $0.decimal(value, digits: 5) } }
        return
            "\(series.version):\(series.workout.text):\(ticks(series.startTicks)):\(ticks(series.endTicks)):\(series.count)"
    }

    private func seriesMetadata(_ series: SeriesMark, indent: Int, to out: OutputBuffer) {
        metadata("HKMetadataKeySyncIdentifier", Self.seriesIdentifier(series), indent: indent, to: out)
        metadata("HKMetadataKeySyncVersion", "1", indent: indent, to: out)
    }

    private func earliestDate(_ sample: Sample) -> String {
        let evening = (phone.firstDayNumber + sample.day - 90) * 86_400 + 22 * 3600
        return OutputBuffer.printed { $0.date(evening, offsetSeconds: 0) }
    }

    private func food(_ sample: Sample) -> String {
        let meals = ["Rye bread & cheese", "Lentil soup", "Apple \"Elise\"", "Noodles", "Müsli", "Salad <large>"]
        return meals[Int(Hashing.combine(phone.seed, UInt64(sample.day), UInt64(sample.index)) % 6)]
    }

    /// The list of beats of a variability measurement: wall clock in the form of the locale, hundredths of a second.
    private func beats(_ sample: Sample, indent: Int, to out: OutputBuffer) {
        let isEnglish = dump.locale.hasPrefix("en")
        pad(indent, out)
        out.line("<HeartRateVariabilityMetadataList>")
        let beats = Beats(phone: phone, key: sample.key)
        let first = (sample.start - phone.midnight(sample.day)) * 100 + Int(Hashing.mix(sample.key) % 100)
        for (rate, time) in zip(beats.rates, beats.times) {
            pad(indent + 1, out)
            out.text("<InstantaneousBeatsPerMinute bpm=\"\(rate)\" time=\"")
            clock(first + time, twelveHours: isEnglish, to: out)
            out.line("\"/>")
        }
        pad(indent, out)
        out.line("</HeartRateVariabilityMetadataList>")
    }

    private func clock(_ hundredths: Int, twelveHours: Bool, to out: OutputBuffer) {
        let second = hundredths / 100 % 86_400
        let hour = second / 3600
        if twelveHours {
            out.text("\(hour % 12 == 0 ? 12 : hour % 12)")
        } else {
            out.twoDigits(hour)
        }
        out.byte(0x3A)
        out.twoDigits(second / 60 % 60)
        out.byte(0x3A)
        out.twoDigits(second % 60)
        out.byte(twelveHours ? 0x2E : 0x2C)
        out.twoDigits(hundredths % 100)
        if twelveHours { out.text(hour < 12 ? " AM" : " PM") }
    }
}
