/// Builds the samples of one type on one day.
struct DayBuilder {
    let phone: SimulatedPhone
    let type: SampleType
    let day: Int
    let workouts: [SimulatedWorkout]
    let midnight: Int
    var random: SeededGenerator
    private(set) var samples: [Sample] = []

    /// Starts with the random sequence of the type and the day.
    init(phone: SimulatedPhone, type: SampleType, day: Int) {
        self.phone = phone
        self.type = type
        self.day = day
        workouts = phone.workouts(day)
        midnight = phone.midnight(day)
        random = phone.generator(type.salt, day: day)
    }

    /// First and last second of the hours awake.
    var awake: (start: Int, end: Int) { (midnight + 7 * 3600, midnight + 23 * 3600) }

    var nextKey: UInt64 { UInt64(day) << 24 | UInt64(samples.count) }

    /// The watch worn on the day in place of any watch.
    func worn(_ source: Source) -> Source { source == .watch ? phone.watch(day) : source }

    /// Adds a sample; watches and phones hand theirs over in batches, others at once.
    mutating func add(_ start: Int, _ end: Int, _ value: Double, _ source: Source, workout: Int = 0) {
        let creation: Int
        if source.isThirdParty || source == .health {
            creation = end + 4 + Int(Hashing.mix(UInt64(start)) % 50)
        } else {
            creation = (end / 420 + 1) * 420 + type.number * 3
        }
        samples.append(
            Sample(
                id: nextKey, start: start, end: end, creation: creation, value: value, source: source,
                version: phone.version(of: source, day: day), workout: workout, epoch: 0))
    }

    /// Adds the last sample again, byte for byte.
    mutating func repeatLast() {
        guard let last = samples.last else { return }
        add(last.start, last.end, last.value, last.source)
        samples[samples.count - 1].creation = last.creation
    }

    func meetsWorkout(_ start: Int, _ end: Int) -> Bool {
        workouts.contains { start < $0.end && (end > $0.start || (start == end && start >= $0.start)) }
    }

    /// The samples in the order in which the phone stored them: by creation, inside a batch the latest first.
    func ordered() -> [Sample] {
        samples.sorted {
            if $0.creation != $1.creation { return $0.creation < $1.creation }
            if $0.start != $1.start { return $0.start > $1.start }
            return $0.id < $1.id
        }
    }
}
