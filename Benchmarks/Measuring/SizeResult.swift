/// What was measured with one number of records.
struct SizeResult: Sendable {
    let records: Int
    /// All items of the base export, records included.
    let items: Int
    var xmlBytes: [BenchmarkInput: Int] = [:]
    var imports: [BenchmarkInput: [ImportRound]] = [:]
    var sqliteFloor: [Measurement] = []
    /// `xml2arrow` on the base export; empty if it is not installed.
    var arrow: [Measurement] = []
    /// The import of an export in which a renamed source has its old name again, and the diff of the two behind it.
    var renameBack: [Measurement] = []
    var diffBehindRenames: [Measurement] = []
    /// Imports of a chain around the fifth and around the fiftieth, as multiples of a bare pass.
    var chain: [(early: Double, late: Double)] = []
    var diff: [Measurement] = []
    /// Changes that the diff found.
    var changes = 0
    /// `check` of the archive of the base export and the later one with 1 % changed.
    var check: [Measurement] = []
    var consolidation: [Measurement] = []
    /// The import of a third export, and the diff of the first observation with it.
    var thirdImport: [Measurement] = []
    var distantDiff: [Measurement] = []
    /// The examples of the documentation by their titles, on these three observations.
    var examples: [(title: String, times: [Measurement])] = []
    /// A whole cache of these three observations, and its size as a share of the archive's.
    var cacheRebuild: [Measurement] = []
    var cacheShare = 0.0
    /// Records that the consolidation judged.
    var disappeared = 0
    var exports: [ExportedForm: [ExportRound]] = [:]
    /// The program's start alone: the command of a page where there is no archive.
    var start: [Measurement] = []
    var firstPage: [Measurement] = []
    var farPage: [Measurement] = []

    init(records: Int, items: Int) {
        self.records = records
        self.items = items
    }

    /// The median of a quantity over the rounds of an import.
    func median(_ input: BenchmarkInput, _ quantity: (ImportRound) -> Double) -> Double {
        Median.of((imports[input] ?? []).map(quantity))
    }

    /// Bytes of the archive after an import.
    func archiveBytes(_ input: BenchmarkInput) -> Int { Int(median(input) { Double($0.archiveBytes) }) }

    /// The highest peak of any process of the program.
    var peakBytes: Int {
        let all =
            imports.values.joined().map(\.program) + exports.values.joined().map(\.program) + diff + check
            + consolidation + renameBack + diffBehindRenames
            + cacheRebuild + thirdImport + distantDiff + firstPage + farPage
        return all.map(\.peakBytes).max() ?? 0
    }
}
