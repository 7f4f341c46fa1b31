package import Store

/// Which observations a diff compares, and what counts as its earlier side.
///
/// With `through` the earlier side is everything that was visible at any observation from `from` up to, not including,
/// `to`. A sample counts once, in its last representation in that span: what the last observation before `to` shows, and
/// what was closed inside the span, unless another row continues it or the sample came back as another one.
package struct DiffSpan {
    package let chain: Chain
    package let from: Observation
    package let to: Observation
    package let through: Bool
    /// The observation whose visible state the earlier side consists of, or with `through` ends with.
    package let before: Observation
    /// The observations behind `before` up to and including `to`: what they opened and closed is what differs.
    package let later: [Observation]
    /// The observations whose disappearances belong to the earlier side: those behind `from` and before `to`.
    package let inner: [Observation]
    /// The observations behind `from` up to and including `to`: of one of them `to` has its state of each type.
    package let behindFrom: [Observation]
    /// The observations that make up the earlier side.
    package let earlierSide: [Observation]

    package init(chain: Chain, from: Observation, to: Observation, through: Bool) {
        self.chain = chain
        self.from = from
        self.to = to
        self.through = through
        let first = from.order
        let last = to.order
        let span = chain.finished.filter { $0.order >= first && $0.order < last }
        earlierSide = through && !span.isEmpty ? span : [from]
        behindFrom = chain.finished.filter { $0.order > first && $0.order <= last }
        let before = earlierSide.last ?? from
        self.before = before
        inner = Array(earlierSide.dropFirst())
        later = chain.finished.filter { $0.order > before.order && $0.order <= last }
    }

    /// Whether one observation follows the other: what the comparison finds is then stored with the later one.
    package var isOfNeighbours: Bool { inner.isEmpty && later.map(\.id) == [to.id] }

    /// The condition that a row was closed inside the span, that nothing continues it and that its sample did not come
    /// back; it needs the tables of `Reappearances`.
    package func isGone(_ alias: String) -> String {
        let ids = inner.map(\.id).sqlList
        return """
            (((\(alias).closed_observation_id IN (\(ids)) AND \(alias).superseded = 0 AND \(Visibility.isShown(alias)))
                OR EXISTS (SELECT 1 FROM past_ranges gone WHERE gone.record_version_id = \(alias).id
                    AND gone.closed_observation_id IN (\(ids)) AND gone.superseded = 0 AND \(Visibility.isShown("gone"))))
                AND \(alias).id NOT IN (SELECT id FROM temp.span_returned)
                OR \(alias).id IN (SELECT id FROM temp.span_released))
            """
    }
}
