/// One type of the census: how it is called, in which element it is printed, and how its samples come about.
struct SampleType {
    /// The element that prints the samples of a type.
    enum Element {
        case record, correlation, workout, activitySummary, clinicalRecord, audiogram, visionPrescription
        case electrocardiogram
    }

    /// What a record of the type carries as metadata.
    enum Metadata {
        case none, heartRate, sync, external, vo2Max, userEntered, oxygen, energyEstimate, meal, timeZone, beats
    }

    /// Position in the catalog.
    let number: Int
    let identifier: String
    /// Base unit; empty for categories and everything that prints none.
    let unit: String
    let pattern: Pattern
    var element = Element.record
    var metadata = Metadata.none
    /// Texts of category values; empty for quantities.
    var categories: [String] = []
    /// What watches record of it during workouts; nil for nothing.
    var recording: WorkoutRecording?
    /// Types of one group are deleted, restored and duplicated together (the members of a correlation).
    var group: String {
        didSet { salt = Hashing.salt(group) }
    }
    /// What sets the random decisions of the group apart from those of others.
    private(set) var salt: UInt64
    /// First export version that prints it.
    var since = 3

    /// Whether HealthKit condenses its workout samples: all but steps.
    var isCondensable: Bool { recording.map { $0.quantity != .steps } ?? false }
    /// Whether their values are summed then.
    var isCumulative: Bool { recording?.quantity.isCumulative ?? false }
    /// Whether the type is sleep analysis, whose value names changed.
    var isSleep: Bool { identifier == "HKCategoryTypeIdentifierSleepAnalysis" }
    /// Whether the type is the one whose records can be damaged.
    var isStepCount: Bool { identifier == "HKQuantityTypeIdentifierStepCount" }

    /// A type of its own group.
    init(number: Int, identifier: String, unit: String, pattern: Pattern) {
        self.number = number
        self.identifier = identifier
        self.unit = unit
        self.pattern = pattern
        group = identifier
        salt = Hashing.salt(identifier)
    }
}
