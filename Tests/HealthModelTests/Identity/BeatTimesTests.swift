import Basics
import HealthModel
import Testing

/// Beat times in every clock and locale give the same distances.
struct BeatTimesTests {
    private func payload(_ times: [String]) -> String? {
        let list = ItemElement(name: "HeartRateVariabilityMetadataList")
        for time in times {
            list.children.append(
                ItemElement(name: "InstantaneousBeatsPerMinute", attributes: [("bpm", "60"), ("time", time)]))
        }
        let record = ItemElement(
            name: "Record",
            attributes: [
                ("type", "T"), ("startDate", "2024-01-01 00:00:00 +0000"), ("endDate", "2024-01-01 00:00:00 +0000"),
            ])
        record.children = [list]
        return ItemRules(exportOffset: 0).apply(to: record).item?.extras
    }

    @Test(arguments: [
        ["19:47:41.86", "19:47:42.90"], ["7:47:41.86 PM", "7:47:42.90 PM"],
        ["7:47:41.86\u{202F}PM", "7:47:42.90\u{202F}PM"],
        ["19:47:41,86", "19:47:42,90"], ["07:47:41,86 nachm.", "07:47:42,90 nachm."], ["下午7:47:41.86", "下午7:47:42.90"],
        ["١٩:٤٧:٤١٫٨٦", "١٩:٤٧:٤٢٫٩٠"], ["۷:۴۷:۴۱٫۸۶ ب.ظ.", "۷:۴۷:۴۲٫۹۰ ب.ظ."], ["19.47.41,86", "19.47.42,90"],
        [" 19:47:41.86 ", "19:47:42.9"], ["19:47:41.860000", "19:47:42.900000"], ["11:47:41.86 PM", "23:47:42.90"],
    ])
    func clocksAndLocales(times: [String]) { #expect(payload(times) == "{\"beats\":[[\"60\",0],[\"60\",1040000]]}") }

    @Test(arguments: [
        (["23:59:59.50", "00:00:00.25"], 750_000), (["11:59:59.50 PM", "12:00:00.25 AM"], 750_000),
        (["11:59:59,5 AM", "12:00:00,25 PM"], 750_000),
        (["24:00:00", "00:00:01"], 1_000_000), (["10:00:01", "10:00:00"], 43_199_000_000),
        (["10:00:00", "10:00:60"], 60_000_000),
    ])
    func midnightAndNoon(times: [String], distance: Int) {
        #expect(payload(times) == "{\"beats\":[[\"60\",0],[\"60\",\(distance)]]}")
    }

    /// What is no wall time stays as it is printed.
    @Test(arguments: [
        "", "x", "10:00", "10:60:00", "25:00:00", "10:00:61", "1:2:3:4 5", "999999999999999999999:00:00", "10-00-00",
        "7:47:41:86 PM", "7:47:41.86.1", "7:47:41 PM 5",
    ])
    func othersStayText(time: String) {
        let text = JSON.string(time).canonicalText
        #expect(payload(["10:00:00", time]) == "{\"beats\":[[\"60\",\"10:00:00\"],[\"60\",\(text)]]}")
    }

    @Test func emptyLists() { #expect(payload([]) == "{\"beats\":[]}") }
}
