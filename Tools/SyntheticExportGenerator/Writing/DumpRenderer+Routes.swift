extension DumpRenderer {
    /// Writes the route: a reference to its file, or in version 8 the points themselves.
    func route(_ sample: Sample, _ type: SampleType, _ workout: SimulatedWorkout, to out: OutputBuffer) {
        out.text("  <WorkoutRoute")
        sourceAttributes(sample, type, to: out)
        dateAttributes(sample, to: out)
        out.line(">")
        let identifier = UniqueIdentifier(hash: Hashing.mix(workout.hash &+ 99)).text
        metadata("HKMetadataKeySyncIdentifier", identifier, indent: 3, to: out)
        metadata("HKMetadataKeySyncVersion", "2", indent: 3, to: out)
        if dump.version.number >= 11 {
            out.line("   <FileReference path=\"/\(RouteFile.path(workout, dump: dump))\"/>")
        } else {
            for point in RoutePoint.points(of: workout, phone: phone, stepSeconds: 60) { location(point, to: out) }
        }
        out.line("  </WorkoutRoute>")
    }

    private func location(_ point: RoutePoint, to out: OutputBuffer) {
        out.text("   <Location")
        out.attribute("date", point.instant, offsetSeconds: dump.offsetSeconds)
        out.text(" latitude=\"\(point.latitude)\" longitude=\"\(point.longitude)\" altitude=\"\(point.elevation)\"")
        out.line(
            " horizontalAccuracy=\"4.1\" verticalAccuracy=\"3.2\" course=\"\(point.course)\" speed=\"\(point.speed)\"/>"
        )
    }
}
