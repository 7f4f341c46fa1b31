import Presentation
import Testing

struct NumbersTests {
    @Test(arguments: [
        (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"), (-999, "-999"),
        (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func grouping(number: Int, expected: String) {
        #expect(Counts.grouped(number) == expected)
    }

    @Test func plurals() {
        #expect(Counts.of(1, "record") == "1 record")
        #expect(Counts.of(84, "record") == "84 records")
        #expect(Counts.of(0, "record") == "0 records")
        #expect(Counts.of(1_000, "entry", "entries") == "1,000 entries")
        #expect(Counts.of(1, "entry", "entries") == "1 entry")
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1_234, "1.2 kB"), (99_949, "99.9 kB"),
        (99_960, "100 kB"),
        (999_499, "999 kB"), (999_500, "1.0 MB"), (3_100_000_000, "3.1 GB"), (-2_000, "-2.0 kB"), (Int.max, "9.2 EB"),
    ])
    func sizes(count: Int, expected: String) {
        #expect(Bytes.text(count) == expected)
    }

    @Test(
        arguments: [
            (0, "0.0 s"), (0.44, "0.4 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"), (59.6, "1 min 00 s"),
            (123, "2 min 03 s"),
            (3_599.6, "1 h 00 min"), (3_720, "1 h 02 min"), (86_400, "1 d 00 h"), (273_600, "3 d 04 h"),
            (.infinity, "-"), (-3, "-3.0 s"),
        ] as [(Double, String)])
    func durations(seconds: Double, expected: String) {
        #expect(Durations.text(seconds: seconds) == expected)
    }
}
