extension SampleCatalog {
    static func addBody(_ all: inout Builder) {
        all.add("HeartRate", "count/min", .heartRate(perDay: 100)) {
            $0.metadata = .heartRate
            $0.recording = WorkoutRecording(quantity: .heartRate, seconds: 6)
        }
        all.add("BodyMass", "kg", .daily(probability: 0.6, low: 70, high: 74, source: .scale, wholeDay: false)) {
            $0.metadata = .sync
        }
        all.add("Height", "cm", .every(days: 365)) { $0.metadata = .userEntered }
        all.add("OxygenSaturation", "%", .spot(perDay: 12, low: 0.93, high: 1, seconds: 15, atNight: true)) {
            $0.metadata = .oxygen
        }
        all.add("BloodPressureSystolic", "mmHg", .pressure(member: 0)) { $0.group = "pressure" }
        all.add("BloodPressureDiastolic", "mmHg", .pressure(member: 1)) { $0.group = "pressure" }
        all.add("RespiratoryRate", "count/min", .spot(perDay: 30, low: 12, high: 19, seconds: 600, atNight: true))
        all.add("BloodGlucose", "mg/dL", .spot(perDay: 3, low: 75, high: 180, seconds: 0, source: .glucoseMeter)) {
            $0.metadata = .external
        }
        all.add(
            "RestingHeartRate", "count/min",
            .daily(probability: 0.95, low: 50, high: 62, source: .watch, wholeDay: true))
        all.add(
            "WalkingHeartRateAverage", "count/min",
            .daily(probability: 0.9, low: 90, high: 115, source: .watch, wholeDay: true))
        all.add("VO2Max", "mL/min·kg", .daily(probability: 0.25, low: 38, high: 44, source: .watch, wholeDay: false)) {
            $0.metadata = .vo2Max
        }
    }

    static func addActivity(_ all: inout Builder) {
        all.add("StepCount", "count", .stream(perDay: 150, rate: 22, phoneShare: 0.45)) {
            $0.recording = WorkoutRecording(quantity: .steps, activities: [.walking, .running], seconds: 10)
        }
        all.add("DistanceWalkingRunning", "km", .stream(perDay: 150, rate: 0.018, phoneShare: 0.35)) {
            $0.recording = WorkoutRecording(quantity: .distance, activities: [.walking, .running], seconds: 7)
        }
        all.add("FlightsClimbed", "count", .counted(perDay: 7, low: 1, high: 3, seconds: 40, source: .phone))
        all.add("BasalEnergyBurned", "kcal", .stream(perDay: 190, rate: 1.19, phoneShare: 0)) {
            $0.recording = WorkoutRecording(quantity: .basalEnergy, seconds: 9)
        }
        all.add("ActiveEnergyBurned", "kcal", .stream(perDay: 430, rate: 0.55, phoneShare: 0)) {
            $0.recording = WorkoutRecording(quantity: .activeEnergy, seconds: 6)
        }
        all.add("AppleExerciseTime", "min", .counted(perDay: 45, low: 1, high: 1, seconds: 60, source: .watch))
        all.add("AppleStandTime", "min", .counted(perDay: 40, low: 1, high: 5, seconds: 300, source: .watch)) {
            $0.since = 11
        }
        all.add("EnvironmentalAudioExposure", "dBASPL", .spot(perDay: 40, low: 35, high: 85, seconds: 1740)) {
            $0.since = 11
        }
        all.add("HeadphoneAudioExposure", "dBASPL", .spot(perDay: 8, low: 50, high: 85, seconds: 800, source: .phone)) {
            $0.since = 11
        }
        all.add("WalkingSpeed", "km/hr", .spot(perDay: 14, low: 3.2, high: 5.9, seconds: 9, source: .phone))
        all.add("WalkingStepLength", "cm", .spot(perDay: 14, low: 58, high: 79, seconds: 9, source: .phone))
        all.add(
            "WalkingDoubleSupportPercentage", "%",
            .spot(perDay: 10, low: 0.24, high: 0.33, seconds: 9, source: .phone))
        all.add("PhysicalEffort", "kcal/hr·kg", .spot(perDay: 60, low: 1, high: 8, seconds: 300)) {
            $0.since = 13
            $0.metadata = .energyEstimate
        }
        all.add("SixMinuteWalkTestDistance", "m", .every(days: 7))
    }

    /// What only workouts record.
    static func addSports(_ all: inout Builder) {
        let recorded: [(String, String, WorkoutRecording.Quantity, SimulatedWorkout.Activity, Double)] = [
            ("DistanceCycling", "km", .distance, .cycling, 7), ("DistanceSwimming", "m", .distance, .swimming, 20),
            ("SwimmingStrokeCount", "count", .strokes, .swimming, 20), ("CyclingPower", "W", .power, .cycling, 6),
            ("CyclingCadence", "count/min", .cadence, .cycling, 12), ("RunningPower", "W", .power, .running, 6),
        ]
        for (name, unit, quantity, activity, seconds) in recorded {
            all.add(name, unit, .onlyInWorkouts) {
                $0.recording = WorkoutRecording(quantity: quantity, activities: [activity], seconds: seconds)
                $0.since = quantity.isCumulative ? 3 : 13
            }
        }
        all.add("CyclingFunctionalThresholdPower", "W", .every(days: 45)) { $0.since = 13 }
    }

    static func addFood(_ all: inout Builder) {
        for (member, name) in ["DietaryEnergyConsumed", "DietaryProtein", "DietaryCarbohydrates"].enumerated() {
            all.add(name, member == 0 ? "kcal" : "g", .meal(member: member)) {
                $0.group = "meal"
                $0.metadata = .meal
            }
        }
        all.add(
            "DietaryWater", "mL", .spot(perDay: 4, low: 150, high: 500, seconds: 0, source: .foodDiary))
    }
}
