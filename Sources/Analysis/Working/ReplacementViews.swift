internal import Archive
internal import GRDB
internal import HealthModel

/// Reads replacements from `analysis_records`; those that share an identifier count as one.
struct ReplacementViews {
    private let units: CanonicalUnits
    private let row: UnsafeStatement
    private let together: UnsafeStatement

    init(_ db: Database, units: CanonicalUnits) throws {
        self.units = units
        let ticks = CondenserIdentifier.ticksPerSecond
        row = try UnsafeStatement(
            db,
            """
            SELECT type, low / \(ticks), high / \(ticks), value, tolerance, weight FROM temp.analysis_records WHERE id = ?
            """)
        together = try UnsafeStatement(
            db,
            """
            SELECT count(*), total(value), total(tolerance) FROM (
                SELECT DISTINCT start, end, value, tolerance FROM temp.analysis_records WHERE id = ?1 OR lead = ?1)
            """)
    }

    /// - Parameter marked: whether the weight is a declared count.
    func view(_ id: Int64, marked: Bool) throws -> ReplacementView {
        row.bind(1, id)
        defer { row.reset() }
        guard try row.step() else {
            return ReplacementView(id: id, low: 0, high: 0, value: 0, tolerance: 0, isCumulative: false)
        }
        var view = ReplacementView(
            id: id, low: row.int(1), high: row.int(2), value: row.double(3), tolerance: row.double(4),
            declaredCount: marked ? row.int(5) : nil,
            isCumulative: try units.type(row.int(0)).quantity.isCumulative)
        if marked, view.isCumulative {
            together.bind(1, id)
            defer { together.reset() }
            if try together.step(), together.int(0) > 1 {
                view.value = together.double(1)
                view.tolerance = together.double(2)
            }
        }
        return view
    }
}
