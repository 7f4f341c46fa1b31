import Foundation
import GRDB
import GRDBSQLite
import Store
import Testing
import TestSupport
import Web

/// What a page reads does not grow with the records that it does not show: none of its statements counts or scans them.
///
/// Not here, because they do by design: `/health` without a cache counts rows, `/history` looks at a day of its sample's type,
/// `/records` with days steps over those before, `/aggregates` reads the records of its days for their merged totals, and pages of the other lanes take their time.
@Suite("Work of pages", .enabled(if: BuiltProgram.isExpected))
struct PageWorkTests {
    private static let pages = [
        "/timeline", "/timeline?all=1", "/show?at=2", "/records?at=2", "/records?at=2&type=HeartRate",
        "/records?at=2&type=HeartRate&since=2024-01-20&until=2024-01-22", "/types", "/type?type=HeartRate",
        "/history?identity=", "/workouts?at=2", "/exports", "/export",
        "/health/log", "/quarantine?at=2", "/jobs", "/state.json", "/timeline.json", "/show.json?at=2",
        "/records.json?at=2&type=StepCount", "/types.json",
        "/type.json?type=StepCount",
    ]

    /// Two observations of so many step counts, and a hundred heart rates, on each of twenty days.
    private func archive(_ readings: Int) throws -> (sandbox: Sandbox, archive: WebArchive) {
        let sandbox = try Sandbox()
        for number in 1...2 {
            var records = ""
            for day in 0..<20 {
                let date = "2024-01-\(10 + day)"
                for place in 0..<max(readings, 100) {
                    let time = "\(10 + place / 50 % 14):\(10 + place % 50):1\(place / 700) +0000"
                    for (type, unit, count) in [("HeartRate", "count/min", 100), ("StepCount", "count", readings)]
                    where place < count {
                        let value = place == 0 ? number : 60 + place
                        records += """
                            <Record type="HKQuantityTypeIdentifier\(type)" sourceName="Watch" unit="\(unit)" \
                            startDate="\(date) \(time)" endDate="\(date) \(time)" value="\(value)"/>

                            """
                    }
                }
            }
            let export = """
                <HealthData locale="en_US"><ExportDate value="2024-06-0\(number) 12:00:00 +0000"/>\(records)</HealthData>
                """
            let path = try sandbox.write(export, to: "\(number).xml")
            try sandbox.run("import", "--quiet", "--cache", "off", path).expecting(0)
        }
        return (sandbox, try WebArchive(path: sandbox.archive))
    }

    /// How many pages of the file SQLite looked at for an answer.
    private func work(_ url: String, _ archive: WebArchive) throws -> Int {
        func count() throws -> Int {
            try archive.reader.read { db in
                [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS].reduce(0) { sum, what in
                    var (now, highest) = (Int32(0), Int32(0))
                    sqlite3_db_status(db.sqliteConnection, what, &now, &highest, 1)
                    return sum + Int(now)
                }
            }
        }
        // The first answer reads the schema; one to an address without ids leads to that with them.
        let url = try archive.get(url)["location"] ?? url
        _ = try archive.get(url)
        _ = try count()
        #expect(try archive.get(url).status == 200, "\(url)")
        return try count()
    }

    @Test func noPageReadsMoreOfALargerArchive() throws {
        let archives = try [100, 1000].map { try archive($0) }
        let identities = try archives.map { sandbox, _ in
            try #require(try sandbox.run("records", "--json", "--limit", "1").objects().first?["identity"] as? String)
        }
        for url in Self.pages {
            let (path, query) = AddressTests.split(url)
            #expect(try Lane(Request(.get, path, #require(PercentEncoding.pairs(query)))) == .page, "\(url)")
            let works = try zip(archives, identities).map { archive, identity in
                try work(url.hasSuffix("identity=") ? url + identity : url, archive.archive)
            }
            // A tree that is a level higher, more entries a page; a scan of ten times the records has hundreds.
            #expect(works[1] <= works[0] * 2 + 20, "\(url): \(works)")
        }
    }
}
