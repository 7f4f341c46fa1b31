internal import GRDB
internal import HealthModel
internal import History
internal import Store

/// Reads replacements from `analysis_records`; those that one leads count as one.
struct ReplacementViews {
    private let units: CanonicalUnits
    private let row: PreparedStatement
    private let together: PreparedStatement

    /// The columns of `analysis_records` in which copies of one replacement are equal.
    static let equal = "mark, start, end, value, tolerance, weight, low, high"

    init(_ db: Database, units: CanonicalUnits) throws {
        self.units = units
        let ticks = CondenserIdentifier.ticksPerSecond
        row = try PreparedStatement(
            db,
            """
            SELECT type, low / \(ticks), high / \(ticks), value, tolerance, weight FROM temp.analysis_records WHERE id = ?
            """)
        together = try PreparedStatement(
            db,
            """
            SELECT start, end, value, tolerance, weight, mark, low / \(ticks), high / \(ticks), count(*)
            FROM temp.analysis_records WHERE id = ?1 OR lead = ?1
            GROUP BY \(Self.equal)
            ORDER BY mark, start, end, value, tolerance
            """)
    }

    /// - Parameter marked: whether the weight is a declared count.
    func view(_ id: Int64, marked: Bool) throws -> ReplacementView {
        row.bind(1, id)
        defer { row.reset() }
        _ = try row.step()
        var view = ReplacementView(
            id: id, low: row.int(1), high: row.int(2), value: row.double(3), tolerance: row.double(4),
            declaredCount: marked ? row.int(5) : nil,
            isCumulative: try units.type(row.int(0)).quantity.isCumulative)
        if marked { try addLed(to: &view) }
        return view
    }

    /// Several records of one identifier share its count, those of several identifiers add theirs. Values add up, or the
    /// means are weighted by the counts.
    private func addLed(to view: inout ReplacementView) throws {
        together.bind(1, view.id)
        defer { together.reset() }
        var (records, identifiers, declared) = (0, 0, Int64(0))
        var (sum, tolerance, weighted, widest) = (0.0, 0.0, 0.0, 0.0)
        var last: String?
        var copies = Int64.max
        while try together.step() {
            records += 1
            copies = min(copies, together.int(8))
            sum += together.double(2)
            tolerance += together.double(3)
            let mark = together.text(5)
            if let last, last.utf8.elementsEqual((mark ?? "").utf8) { continue }
            last = mark ?? ""
            identifiers += 1
            declared += together.int(4)
            weighted += together.double(2) * Double(together.int(4))
            widest = max(widest, together.double(3))
            view.low = min(view.low, together.int(6))
            view.high = max(view.high, together.int(7))
        }
        view.copies = copies
        if view.isCumulative, records > 1 {
            view.value = sum
            view.tolerance = tolerance
        }
        guard identifiers > 1 else { return }
        view.declaredCount = declared
        if !view.isCumulative, declared > 0 {
            view.value = weighted / Double(declared)
            view.tolerance = widest
        }
    }
}

/// What a heuristic says of a replacement and the records inside its interval.
enum GroupJudgement: Equatable {
    /// A consolidation; `without` are records that do not belong to it after all.
    case accepted(ConsolidationGroup.Completeness, without: Set<Int64> = [])
    /// The totals differ beyond precision: no consolidation.
    case totalsDiffer
    /// Nothing that could be said.
    case nothing
}

/// A replacement as the heuristics see it, its value in the canonical unit.
struct ReplacementView {
    var id: Int64
    /// Whole seconds.
    var low: Int64
    var high: Int64
    var value: Double
    var tolerance: Double
    /// Declared by the condenser; nil without its identifier.
    var declaredCount: Int64?
    var isCumulative: Bool
    /// How often the archive shows each of its records; the other members count equal ones once.
    var copies: Int64 = 1

    /// The replacement with each of its equal records counted: it stands for as many originals for each of them.
    var countingCopies: ReplacementView {
        var view = self
        view.copies = 1
        view.declaredCount = declaredCount.map { $0 * copies }
        if isCumulative {
            view.value *= Double(copies)
            view.tolerance *= Double(copies)
        }
        return view
    }
}
