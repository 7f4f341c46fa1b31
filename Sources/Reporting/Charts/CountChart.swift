package import Presentation
package import Store

extension Chart {
    /// How many records were visible at each observation of a chain.
    ///
    /// - Parameter marked: the ids of the observations that the document is about.
    package static func visibleCounts(
        _ title: String, _ description: String, _ observations: [Observation], _ counts: [Int64],
        marked: [Int64] = []
    ) -> Chart {
        var table = Table([.right("Observation"), .words("Exported (phone's day)"), .right("Visible records")])
        var points: [Chart.Point] = []
        for (observation, count) in zip(observations, counts) {
            let day = SideFacts.day(observation)
            table.addRow(["\(observation.id)", day, Counts.grouped(count)], links: [0: .observation(observation.id)])
            points.append(
                .init(observation.observedAt, day, Double(count), isMarked: marked.contains(observation.id)))
        }
        return Chart(title, description, .line(points), table: table)
    }
}
