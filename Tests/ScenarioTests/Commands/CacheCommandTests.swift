import Foundation
import GRDB
import Testing
import TestSupport

/// The cache from the command line: what it holds, when it is refused, and that nothing depends on it.
@Suite("Cache commands", .enabled(if: BuiltProgram.isExpected, "healthprobe is not built"))
struct CacheCommandTests {
    static let scenarios = [
        "older-export-later", "truncated-then-complete", "condensed-workouts", "unit-switch", "renamed-watch",
        "changed-in-several-gaps",
    ]

    static func exports(_ scenario: String) -> String {
        TestSupport.repository.appendingPathComponent("SyntheticExports/\(scenario)/exports").path
    }

    /// An archive with what a scenario imports, in the order of the file names or the other way round.
    func imported(_ scenario: String, isReversed: Bool = false, _ options: [String] = []) throws -> Sandbox {
        let sandbox = try Sandbox(scenario)
        let exports = Self.exports(scenario)
        let names = try FileManager.default.contentsOfDirectory(atPath: exports).sorted()
        for name in isReversed ? names.reversed() : names {
            try sandbox.run(["import", "\(exports)/\(name)", "--allow-unrelated"] + options).expecting(0, 3)
        }
        return sandbox
    }

    func cache(_ sandbox: Sandbox, _ arguments: String...) throws -> [String: Any] {
        try sandbox.run(["cache"] + arguments + ["--json"]).expecting(0).object()
    }

    func rows(_ sandbox: Sandbox, _ sql: String) throws -> [Row] {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: sandbox.archive + ".cache", configuration: configuration).read {
            try Row.fetchAll($0, sql: sql)
        }
    }

    func edit(_ path: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test(arguments: scenarios)
    func whatImportsMakeIsWhatARebuildMakes(scenario: String) throws {
        for isReversed in [false, true] {
            let sandbox = try imported(scenario, isReversed: isReversed)
            // An import has a twentieth of its time for it, or leaves it to the next reader.
            let partial = try cache(sandbox, "rebuild", "--observation", "latest")
            #expect(partial["state"] as? String == "current")
            let full = try cache(sandbox, "rebuild")
            let other = try cache(sandbox, "rebuild", "--cache", sandbox.path("other.cache"))
            #expect(full["contentDigest"] as? String == partial["contentDigest"] as? String)
            #expect(full["contentDigest"] as? String == other["contentDigest"] as? String)
            #expect(full["kept"] as? Int == 0 && (full["made"] as? Int ?? 0) > 1)
        }
    }

    /// What `aggregates --json` prints; `JSONSerialization` does not read every number exactly.
    private struct Aggregates: Decodable {
        var rows: [Row]

        struct Row: Decodable {
            var type, bucket, level: String
            var sourceName, unit: String?
            var count: Double
            var sum, minimum, maximum, mean, sampleCount: Double?

            var text: String {
                let numbers = [count, sum, minimum, maximum, mean, sampleCount].map { number in
                    number.map { "\($0.bitPattern)" } ?? "-"
                }
                return ([type, bucket, sourceName ?? "-", unit ?? "-"] + numbers).joined(separator: "|")
            }
        }
    }

    @Test(arguments: scenarios)
    func monthsAndDaysAreThoseOfAggregates(scenario: String) throws {
        let sandbox = try imported(scenario)
        _ = try cache(sandbox, "rebuild")
        let latest = try sandbox.run("timeline", "--json").object()
        let ids = (latest["observations"] as? [[String: Any]] ?? []).compactMap { entry in
            entry["id"] as? Int ?? (entry["observation"] as? [String: Any])?["id"] as? Int
        }
        #expect(!ids.isEmpty)
        for (id, size) in ids.map({ ($0, "month") }) + ids.suffix(1).map({ ($0, "day") }) {
            let answer = try sandbox.run("aggregates", "--at", "\(id)", "--by", size, "--json").expecting(0)
            let printed = try JSONDecoder().decode(Aggregates.self, from: answer.output).rows
                .filter { $0.level != "merged" }.map(\.text)
            let view = size == "month" ? "CachedMonthlyAggregate" : "CachedDailyAggregate"
            let cached = try rows(sandbox, "SELECT * FROM \(view) WHERE observationID = \(id)").map { row in
                let names = ["sampleTypeIdentifier", "localLabel", "sourceName", "unit"].map {
                    row[$0] as String? ?? "-"
                }
                let numbers = [
                    "visibleRecordCount", "valueSum", "valueMin", "valueMax", "valueMean", "sampleCount",
                ].map { (row[$0] as Double?).map { "\($0.bitPattern)" } ?? "-" }
                return (names + numbers).joined(separator: "|")
            }
            #expect(cached.sorted() == printed.sorted(), "\(view) at \(id)")
        }
    }

    @Test(arguments: scenarios)
    func neighboursHaveTheCountsOfDiff(scenario: String) throws {
        let sandbox = try imported(scenario)
        for isAnalysed in [false, true] {
            if isAnalysed { try sandbox.run("consolidation", "--json").expecting(0) }
            _ = try cache(sandbox, "rebuild")
            let pairs = try rows(
                sandbox, "SELECT DISTINCT fromObservationID, toObservationID FROM CachedDiffSummary")
            for pair in pairs {
                let (from, to) = (pair[0] as Int64, pair[1] as Int64)
                let diff = try sandbox.run("diff", "\(from)", "\(to)", "--json").object()
                let printed = (diff["types"] as? [[String: Any]] ?? []).map { type in
                    ["before", "after", "appeared", "disappeared", "representationChanged"].map {
                        "\(type[$0] as? Int ?? -1)"
                    }.joined(separator: "|") + "|\(type["type"] as? String ?? "")"
                }
                let cached = try rows(
                    sandbox,
                    "SELECT * FROM CachedDiffSummary WHERE fromObservationID = \(from) AND toObservationID = \(to)")
                let counted = cached.map { row in
                    [
                        "beforeCount", "afterCount", "appearedCount", "disappearedCount",
                        "representationChangedCount",
                    ].map { "\(row[$0] as Int64)" }.joined(separator: "|")
                        + "|\(row["sampleTypeIdentifier"] as String)"
                }
                #expect(counted == printed, "\(from) and \(to)")
                let latest = try rows(sandbox, "SELECT max(toObservationID) FROM CachedDiffSummary")[0][0] as Int64
                // An analysis that explains nothing is not kept.
                guard isAnalysed, scenario.hasPrefix("condensed"), to == latest else { continue }
                #expect(cached.allSatisfy { $0["consolidationLikely"] as Int64? != nil })
                let likely = (diff["types"] as? [[String: Any]] ?? []).map { type in
                    (type["labels"] as? [String] ?? []).contains("consolidationLikely") ? 1 : 0
                }
                #expect(cached.map { $0["consolidationLikely"] as Int } == likely)
            }
        }
    }

    @Test func theViewsHaveTheFieldsOfTheContract() throws {
        let sandbox = try imported("first-and-unchanged")
        let fields = [
            "CachedObservationRow": """
            observationID observedAt status triggerReason timeZoneIdentifier trackedTypeCount visibleRecordCount \
            appearedCount disappearedCount representationChangedCount archiveSchemaVersion cacheSchemaVersion \
            sourceAggregateHash computedAt
            """,
            "CachedTypeSummary": """
            observationID sampleTypeIdentifier displayName visibleRecordCount appearedCount disappearedCount \
            representationChangedCount earliestStartDate latestEndDate valueSum valueMax aggregateHash computedAt
            """,
            "CachedDailyAggregate": """
            observationID sampleTypeIdentifier bucketStart bucketEnd timeZoneIdentifier visibleRecordCount valueSum \
            valueMax sourceRevisionDisplayHash aggregateHash computedAt
            """,
            "CachedDiffSummary": """
            fromObservationID toObservationID sampleTypeIdentifier appearedCount disappearedCount \
            representationChangedCount consolidationLikely uncertaintyReason sourceAggregateHash computedAt
            """,
            "CachedExportManifest": """
            exportID exportKind createdAt fromObservationID toObservationID filterSummary recordCount manifestHash \
            fileURLBookmarkData status computedAt
            """,
            "CachedArchiveHealth": """
            archiveSchemaVersion cacheSchemaVersion lastIntegrityCheckAt lastIntegrityStatus lastErrorKind \
            lastErrorMessageHash cacheBuildID computedAt
            """,
        ]
        for (view, names) in fields {
            let columns = try rows(sandbox, "SELECT name FROM pragma_table_info('\(view)')").map { $0[0] as String }
            let wanted = names.split(separator: " ").map(String.init)
            #expect(Array(columns.prefix(wanted.count)) == wanted, "\(view)")
        }
        let health = try #require(try rows(sandbox, "SELECT * FROM CachedArchiveHealth").first)
        #expect(health["archiveSchemaVersion"] as Int64 == 4)
        #expect(health["lastErrorKind"] as String? == nil && health["lastErrorMessageHash"] as String? == nil)
        let permissions = try FileManager.default.attributesOfItem(atPath: sandbox.archive + ".cache")
        #expect((permissions[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    /// Months that an observation did not change have one set of rows.
    @Test func equalMonthsAreStoredOnce() throws {
        let sandbox = try imported("first-and-unchanged")
        _ = try cache(sandbox, "rebuild")
        #expect(try rows(sandbox, "SELECT DISTINCT observationID FROM CachedMonthlyAggregate").count > 1)
        #expect(try rows(sandbox, "SELECT 1 FROM cached_buckets WHERE size = 1 AND position > 1").isEmpty)
    }

    @Test func whatIsInTheWayIsNeverTouched() throws {
        let plain = try imported("first-and-unchanged", ["--cache", "off"])
        let expected = try plain.run("timeline", "--json").outputText
        #expect(!FileManager.default.fileExists(atPath: plain.archive + ".cache"))
        for kind in ["foreign", "folder", "fifo", "locked", "lock folder"] {
            let sandbox = try Sandbox("way")
            let path = sandbox.archive + ".cache"
            switch kind {
            case "foreign": try Data("a foreign file".utf8).write(to: URL(fileURLWithPath: path))
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case "fifo": #expect(mkfifo(path, 0o600) == 0)
            case "lock folder":
                try FileManager.default.createDirectory(atPath: path + ".lock", withIntermediateDirectories: false)
            default: break
            }
            let descriptor = kind == "locked" ? open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600) : -1
            if descriptor >= 0 { #expect(lockf(descriptor, F_TLOCK, 1) == 0) }
            defer { close(descriptor) }
            let exports = Self.exports("first-and-unchanged")
            for name in try FileManager.default.contentsOfDirectory(atPath: exports).sorted() {
                let answer = try sandbox.run("import", exports + "/" + name, "--json").expecting(0)
                #expect(answer.errorText.contains("The cache was not brought up to date"), "\(kind)")
            }
            let states = { (text: String) in text.matches(of: #/"stateDigest":"(\w+)"/#).map { "\($0.output.1)" } }
            #expect(states(try sandbox.run("timeline", "--json").outputText) == states(expected))
            try sandbox.run("cache", "rebuild").expecting(kind == "locked" ? 75 : 73)
            try sandbox.run("cache", "info").expecting(0)
            try sandbox.run("cache", "delete").expecting(0, 73, 75)
            if kind == "foreign" { #expect(FileManager.default.contents(atPath: path) == Data("a foreign file".utf8)) }
        }
    }

    @Test func theCacheOfAnotherArchiveIsEmptied() throws {
        let (one, two) = (try imported("unit-switch"), try imported("renamed-watch"))
        _ = try cache(one, "rebuild")
        let fresh = try cache(two, "rebuild")
        for suffix in ["", "-wal", "-shm"] { unlink(two.archive + ".cache" + suffix) }
        try FileManager.default.copyItem(atPath: one.archive + ".cache", toPath: two.archive + ".cache")
        #expect(try cache(two, "info")["state"] as? String == "unusable")
        #expect(try cache(two, "rebuild")["contentDigest"] as? String == fresh["contentDigest"] as? String)
    }

    @Test(arguments: [
        "PRAGMA user_version = 0",
        "CREATE TRIGGER t AFTER INSERT ON cache_metadata BEGIN DELETE FROM cached_buckets; END",
        "DROP VIEW CachedDailyAggregate; CREATE VIEW CachedDailyAggregate AS SELECT 1 AS a",
    ])
    func aCacheOfAnotherLayoutIsMadeAnew(_ sql: String) throws {
        let sandbox = try imported("first-and-unchanged")
        let fresh = try cache(sandbox, "rebuild")
        try DatabaseQueue(path: sandbox.archive + ".cache").writeWithoutTransaction { try $0.execute(sql: sql) }
        #expect(try cache(sandbox, "rebuild")["contentDigest"] as? String == fresh["contentDigest"] as? String)
        #expect(try cache(sandbox, "info")["state"] as? String == "current")
        let views = try DatabaseQueue(path: sandbox.archive + ".cache").read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' OR sql LIKE '%SELECT 1 AS a%'")
        }
        #expect(views.isEmpty)
    }

    @Test func resetAndDeleteRemoveIt() throws {
        let sandbox = try imported("first-and-unchanged")
        try sandbox.run("cache", "rebuild", "--observation", "99").expecting(64)
        try sandbox.run("archive", "backup", sandbox.path("copy.sqlite")).expecting(0)
        #expect(!FileManager.default.fileExists(atPath: sandbox.path("copy.sqlite.cache")))
        try sandbox.run("report", "--output", sandbox.archive + ".cache", "--force").expecting(73)
        #expect(try cache(sandbox, "delete")["deleted"] as? Bool == true)
        #expect(try cache(sandbox, "delete")["deleted"] as? Bool == false)
        #expect(try cache(sandbox, "info")["state"] as? String == "absent")
        _ = try cache(sandbox, "rebuild")
        try sandbox.run("archive", "reset", "--confirm", "archive.sqlite").expecting(0)
        let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder + "/archive")
        #expect(!left.contains { $0.contains(".cache") })
    }
}
