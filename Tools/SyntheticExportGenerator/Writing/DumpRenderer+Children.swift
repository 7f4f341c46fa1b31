extension DumpRenderer {
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
        func add(_ key: String, _ value: String) { metadata(key, value, indent: indent, to: out) }
        if let series = sample.series {
            add("HKMetadataKeySyncIdentifier", Self.seriesIdentifier(series))
            add("HKMetadataKeySyncVersion", "1")
            return
        }
        switch type.metadata {
        case .none: break
        case .heartRate:
            let context = sample.workout > 0 ? "2" : Hashing.mix(sample.key) % 3 == 0 ? "0" : "1"
            add("HKMetadataKeyHeartRateMotionContext", context)
        case .sync:
            add("HKMetadataKeySyncIdentifier", identifier(sample, "sync").text)
            add("HKMetadataKeySyncVersion", "\(sample.revision + 1)")
        case .external:
            add("HKExternalUUID", "GL\(1_000_000 + sample.day * 16 + sample.index)")
            add("Meal", sample.index % 2 == 0 ? "before" : "after")
        case .vo2Max:
            add("HKVO2MaxTestType", "2")
            add("HKMetadataKeySyncIdentifier", identifier(sample, "vo2").text)
            add("HKMetadataKeySyncVersion", "1")
            add("HKDateOfEarliestDataUsedForEstimate", earliestDate(sample))
        case .userEntered: add("HKWasUserEntered", "1")
        case .oxygen:
            add("HKMetadataKeyBarometricPressure", "\(98_200 + Int(Hashing.mix(sample.key) % 3000)).5 Pa")
        case .energyEstimate: add("HKPhysicalEffortEstimationType", "1")
        case .meal: add("HKFoodType", food(sample))
        case .timeZone: add("HKTimeZone", HomeZone.name)
        case .beats:
            add("HKAlgorithmVersion", "2")
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
