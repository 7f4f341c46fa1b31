struct RoutePoint {
    let instant: Int
    /// Degrees with six decimals, as text.
    let latitude: String
    let longitude: String
    /// Metres, metres a second and degrees, as text.
    let elevation: String
    let speed: String
    let course: String

    /// Metres of one degree of latitude on a sphere of 6,371,008.8 m.
    private static let metresPerDegree = 111_195.0797343

    /// The points of a workout's route, somewhere in the North Sea: one every `stepSeconds` and at the ends of pauses, each as
    /// far from the last as the workout's distance records say.
    static func points(of workout: SimulatedWorkout, phone: SimulatedPhone, stepSeconds: Int) -> [RoutePoint] {
        guard let odometer = phone.odometer(of: workout) else { return [] }
        var random = SeededGenerator(Hashing.mix(workout.hash ^ 0x0BAD_CAFE))
        var latitude = 56.1 + 0.3 * random.unit()
        var longitude = 3.4 + 0.3 * random.unit()
        var heading = random.integer(0...359)
        let terrain = Terrain(workout)
        var last = (instant: workout.start, metres: 0.0)
        return instants(of: workout, stepSeconds: stepSeconds).map { instant in
            let metres = odometer.metres(at: instant)
            heading = (heading + random.integer(-14...14) + 360) % 360
            let way = metres - last.metres
            let direction = Self.direction(heading)
            latitude += way * direction.north / metresPerDegree
            longitude += way * direction.east / (metresPerDegree * cosine(latitude))
            let seconds = Double(max(1, instant - last.instant))
            last = (instant, metres)
            return RoutePoint(
                instant: instant, latitude: decimal(latitude), longitude: decimal(longitude),
                elevation: decimal(terrain.elevation(metres: metres) + 0.2 * random.unit()),
                speed: decimal(way / seconds), course: decimal(Double(heading)))
        }
    }

    private static func instants(of workout: SimulatedWorkout, stepSeconds: Int) -> [Int] {
        var result: [Int] = []
        for part in WorkoutCourse(workout).activeParts(workout.start, workout.end) {
            result += stride(from: part.lowerBound, to: part.upperBound, by: max(1, stepSeconds))
            result.append(part.upperBound)
        }
        return result
    }

    /// A direction of length 1. The sines are approximate and the length is exact: the same on every machine.
    private static func direction(_ degrees: Int) -> (north: Double, east: Double) {
        let north = sine(degrees + 90)
        let east = sine(degrees)
        let length = (north * north + east * east).squareRoot()
        return (north / length, east / length)
    }

    /// The sine of whole degrees by Bhaskara's formula.
    private static func sine(_ degrees: Int) -> Double {
        let angle = degrees % 360
        let x = Double(angle % 180)
        let value = 4 * x * (180 - x) / (40_500 - x * (180 - x))
        return angle < 180 ? value : -value
    }

    /// The cosine of a latitude near 56.25°, from Taylor's series there.
    private static func cosine(_ latitude: Double) -> Double {
        let x = (latitude - 56.25) * 0.017453292519943295
        return 0.5555702330196022 * (1 - x * x / 2) - 0.8314696123025452 * (x - x * x * x / 6)
    }

    private static func decimal(_ value: Double) -> String {
        OutputBuffer.printed { $0.decimal(Int((value * 1_000_000).rounded()), digits: 6) }
    }
}
