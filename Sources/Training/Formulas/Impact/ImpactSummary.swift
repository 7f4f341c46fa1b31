/// What consolidation did to one figure, over all workouts or days.
package struct ImpactSummary: Sendable, Equatable {
    /// What becomes of a figure.
    package enum Verdict: String, Sendable, CaseIterable {
        /// Ninety-five of a hundred differences by consolidation are below the threshold.
        case survives
        case shifts
        /// What the figure says about single moments is gone, or the figure itself.
        case resolutionLost
        /// Nothing that it follows from was consolidated.
        case notAffected
    }

    /// What a figure is one of.
    package enum Subject: String, Sendable, CaseIterable {
        case workouts, days
    }

    package var metric: String
    /// What has the figure.
    package var subject: Subject
    /// How many have the figure on both sides.
    package var compared: Int
    /// How many of these differ.
    package var changed: Int
    package var material: Int
    /// Of the sizes of the differences by consolidation among what was consolidated; nil for none.
    package var median: Double?
    /// The smallest that 95 of 100 do not exceed.
    package var p95: Double?
    package var meanSigned: Double?
    /// The mean of the differences by consolidation as shares of the restored values; one to a restored 0 counts as 0.
    package var meanRelative: Double?
    package var verdict: Verdict

    /// - Parameters:
    ///   - figures: of what has it on either side and differs.
    ///   - compared: how many have it on both sides.
    ///   - consolidated: how many of these were consolidated; those that do not differ count as 0.
    ///   - isResolution: whether the figure is about single moments.
    package init(
        _ metric: String, of subject: Subject, _ figures: [ImpactFigure], compared: Int, consolidated: Int,
        isResolution: Bool
    ) {
        self.metric = metric
        self.subject = subject
        self.compared = compared
        let both = figures.filter { $0.difference != nil }
        changed = both.count { $0.isChanged }
        material = both.count { $0.isChanged && $0.isMaterial }
        let affected = both.filter { $0.byConsolidation ?? 0 != 0 }
        let zeros = max(0, consolidated - affected.count)
        let signed = affected.compactMap(\.byConsolidation)
        let sizes = [Double](repeating: 0, count: zeros) + signed.map(abs).sorted()
        median = sizes.median
        p95 = Self.percentile(sizes, 0.95)
        let count = Double(sizes.count)
        meanSigned = sizes.isEmpty ? nil : signed.reduce(0, +) / count
        let shares = affected.compactMap { figure -> Double? in
            guard let restored = figure.restored, restored != 0, let part = figure.byConsolidation else { return nil }
            return part / abs(restored)
        }
        meanRelative = sizes.isEmpty ? nil : shares.reduce(0, +) / count
        // The original records would still give what the later observation cannot say.
        let isGone = figures.contains { $0.before != nil && $0.after == nil && $0.restored != nil }
        let scaled = [Double](repeating: 0, count: zeros) + affected.map(\.sizeByConsolidation).sorted()
        let isSmall =
            (Self.percentile(scaled, 0.95) ?? 0) < ImpactFigure.Materiality.bound
            && !affected.contains(where: \.isMaterialAnyway)
        let isLost = isGone || isResolution && !isSmall
        verdict = isLost ? .resolutionLost : sizes.isEmpty ? .notAffected : isSmall ? .survives : .shifts
    }

    /// The smallest value that a share of the values does not exceed (nearest rank); nil for none.
    ///
    /// - Parameter values: ascending.
    static func percentile(_ values: [Double], _ share: Double) -> Double? {
        values.isEmpty ? nil : values[max(0, Int((share * Double(values.count)).rounded(.up)) - 1)]
    }
}
