extension SimulatedPhone {
    /// The samples of one type that one day brought, in the order in which they were stored.
    func samples(of type: SampleType, day: Int) -> [Sample] {
        var builder = DayBuilder(phone: self, type: type, day: day)
        switch type.pattern {
        case .stream(let perDay, let rate, let phoneShare):
            builder.addStream(perDay: perDay * density, rate: rate, phoneShare: phoneShare)
        case .heartRate(let perDay): builder.addHeartRate(perDay: perDay * density)
        case .variability(let perDay): builder.addVariability(isAthlete ? perDay : perDay * density)
        case .onlyInWorkouts: break
        case .spot(let perDay, let low, let high, let seconds, let source, let atNight):
            let window = atNight ? (builder.midnight, builder.midnight + 6 * 3600) : builder.awake
            builder.addSpots(perDay * density, low: low, high: high, seconds: seconds, source: source, window: window)
        case .counted(let perDay, let low, let high, let seconds, let source):
            builder.addCounted(perDay * density, low: low, high: high, seconds: seconds, source: source)
        case .daily(let probability, let low, let high, let source, let wholeDay):
            builder.addDaily(
                probability * dailyFactor, low: low, high: high, source: source, wholeDay: wholeDay)
        case .standHours: builder.addStandHours(share: dailyFactor)
        case .sleep: builder.addSleep(share: dailyFactor)
        case .mindful(let perDay): builder.addMindful(perDay * dailyFactor)
        case .meal: builder.addMeals(dailyFactor)
        case .pressure: builder.addPressure(0.7 * dailyFactor)
        case .workout: builder.addWorkouts()
        case .activitySummary:
            // Now and then there are two of one day, with different goals.
            for _ in 0..<(day % 97 == 40 ? 2 : 1) {
                builder.add(builder.midnight, builder.midnight + 86_400, 0, .watch)
            }
        case .every(let days): builder.addEvery(days)
        case .once: if day == 0 { builder.add(builder.awake.start, builder.awake.start, 8, .health) }
        }
        builder.addRecordings()
        return builder.ordered()
    }

    /// Whether a type can have samples on a day at all: spares the sparse types most of the days.
    func canHaveSamples(_ type: SampleType, day: Int) -> Bool {
        switch type.pattern {
        case .every(let days): day % days == days / 2 % 29
        case .once: day == 0
        default: true
        }
    }

    /// How much of the once-a-day data a sparse phone has.
    var dailyFactor: Double { isAthlete ? 1 : min(1, sparseness * 1.2) }
}
