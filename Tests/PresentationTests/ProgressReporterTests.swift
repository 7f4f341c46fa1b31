import Presentation
import Synchronization
import Testing

/// A clock that stands still until told, and a writer that remembers.
private final class Bench: Sendable {
    let time = Mutex(100.0)
    let written = Mutex<[String]>([])

    func reporter(_ mode: ProgressReporter.Mode, columns: Int = 100, label: String = "Reading") -> ProgressReporter {
        ProgressReporter(
            label: label, mode: mode, now: { self.time.withLock { $0 } }, columns: { columns },
            write: { text in self.written.withLock { $0.append(text) } })
    }

    func wait(_ seconds: Double) { time.withLock { $0 += seconds } }

    var output: [String] { written.withLock { $0 } }
}

struct ProgressReporterTests {
    @Test func aBarIsRedrawnAtMostTenTimesASecondAndCleared() {
        let bench = Bench()
        let reporter = bench.reporter(.bar)
        for step in 0..<1_000 {
            reporter.update(done: step * 1_000_000, total: 2_000_000_000, items: step)
            bench.wait(0.01)
        }
        reporter.finish()
        #expect((90...105).contains(bench.output.count))
        #expect(bench.output.allSatisfy { $0.hasPrefix("\r") && $0.hasSuffix("\u{1B}[K") })
        #expect(bench.output.last == "\r\u{1B}[K")
    }

    @Test func aBarSaysEverything() {
        let bench = Bench()
        let reporter = bench.reporter(.bar)
        bench.wait(10)
        reporter.update(done: 1_000_000_000, total: 4_000_000_000, items: 1_234_567)
        #expect(
            bench.output == [
                "\rReading  [#######-----------------------]   25 %  30 s left  100 MB/s  1,234,567 items\u{1B}[K"
            ])
    }

    @Test(arguments: [1, 2, 10, 20, 30, 40, 50, 60, 80, 200])
    func aBarFitsItsTerminal(columns: Int) {
        let bench = Bench()
        let reporter = bench.reporter(.bar, columns: columns, label: "Reading 健康データ.xml")
        bench.wait(10)
        reporter.update(done: 1_000_000_000, total: 4_000_000_000, items: 1_234_567)
        let line = bench.output.first?.dropFirst().dropLast(3) ?? ""
        #expect(DisplayWidth.of(String(line)) <= max(1, columns - 1))
    }

    @Test func anUnknownTotalHasNoBar() {
        let bench = Bench()
        let reporter = bench.reporter(.bar)
        bench.wait(2)
        reporter.update(done: 4_000_000, total: nil, items: 1)
        #expect(bench.output == ["\rReading  4.0 MB  2.0 MB/s  1 item\u{1B}[K"])
    }

    @Test func theFirstSecondHasNoSpeed() {
        let bench = Bench()
        let reporter = bench.reporter(.bar)
        bench.wait(0.5)
        reporter.update(done: 4_000_000, total: nil, items: 1)
        #expect(bench.output == ["\rReading  4.0 MB  1 item\u{1B}[K"])
    }

    @Test func itemsAreNotCalledBytes() {
        let bench = Bench()
        let reporter = bench.reporter(.bar)
        bench.wait(2)
        reporter.update(done: 12_000, total: nil)
        #expect(bench.output == ["\rReading  12,000 items\u{1B}[K"])
        bench.wait(6)
        reporter.update(done: 15_000, total: 20_000)
        #expect(bench.output.last?.contains(" 75 %") == true && bench.output.last?.contains("byte") == false)
    }

    @Test func workOfUnknownSizeShowsItsTime() {
        let bench = Bench()
        let reporter = bench.reporter(.bar, label: "Comparing observations")
        bench.wait(4)
        reporter.update(done: 0, total: nil, items: 0)
        #expect(bench.output.last?.contains("Comparing observations  4 s") == true)
        #expect(reporter.showElapsed { 7 } == 7)
        #expect(bench.output.last == "\r\u{1B}[K")
    }

    @Test func elsewhereALineEveryFewSeconds() {
        let bench = Bench()
        let reporter = bench.reporter(.lines)
        for _ in 0..<96 {
            reporter.update(done: 500, total: 1_000, items: 2)
            bench.wait(0.125)
        }
        reporter.finish()
        #expect(bench.output.count == 2)
        #expect(bench.output.first?.hasPrefix("Reading   50 %  500 bytes  0.1 kB/s  5 s left  2 items") == true)
        #expect(bench.output.allSatisfy { $0.hasSuffix("\n") && !$0.contains("\u{1B}") })
    }

    @Test func quietIsQuiet() {
        let bench = Bench()
        let reporter = bench.reporter(.quiet)
        reporter.begin(label: "x")
        reporter.update(done: 1, total: 2, items: 3)
        reporter.finish()
        #expect(bench.output.isEmpty)
    }

    @Test func aLabelCannotFormatTheTerminal() {
        let bench = Bench()
        let reporter = bench.reporter(.bar, label: "\u{1B}c")
        reporter.update(done: 1, total: 2, items: 3)
        reporter.finish()
        #expect(bench.output.first?.hasPrefix("\r\\u{001B}c") == true)
        #expect(Array(bench.output.dropFirst()) == ["\r\u{1B}[K"])
    }

    @Test func modes() {
        #expect(ProgressReporter.mode(quiet: true, isTerminal: true, environment: [:]) == .quiet)
        #expect(ProgressReporter.mode(quiet: false, isTerminal: true, environment: [:]) == .bar)
        #expect(ProgressReporter.mode(quiet: false, isTerminal: true, environment: ["TERM": "dumb"]) == .lines)
        #expect(ProgressReporter.mode(quiet: false, isTerminal: false, environment: [:]) == .lines)
    }

    @Test func manyThreadsMayReport() async {
        let bench = Bench()
        let reporter = bench.reporter(.bar)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for step in 0..<200 {
                        bench.wait(0.01)
                        reporter.update(done: step, total: 200, items: task)
                    }
                }
            }
        }
        reporter.finish()
        #expect(bench.output.last == "\r\u{1B}[K")
    }
}
