import HealthModel
import Testing
import Training

@Suite struct AthleteSettingsTests {
    static let full = """
        {"schema": "healthprobe.athlete/1", "periods": [
            {"from": "2024-01-01", "maxHeartRate": 186, "zones": [132, 146.5]},
            {"from": "2023-01-01", "maxHeartRate": 188, "restingHeartRate": 48, "thresholdHeartRate": 170, "ftpWatts": 250,
             "runningThresholdWatts": 310, "zones": [132, 146, 160, 174], "sleepNeedSeconds": 28800}],
         "sex": "female", "birthDate": "1980-05-01", "loadSeed": {"date": "2020-01-01", "ctl": 40, "atl": 35},
         "score": {"hrvWeight": 0.4, "greenFrom": 67}, "sourceOrder": ["Apple Watch of R."], "linkKeys": ["aarcRunId"]}
        """

    @Test("every member is read")
    func members() throws {
        let settings = try AthleteSettings(Array(Self.full.utf8))
        #expect(settings.periods.map(\.maxHeartRate) == [188, 186])
        #expect(settings.sex == .female && settings.birthDay == 3773 && settings.loadSeed?.atl == 35)
        #expect(settings.score.hrvWeight == 0.4 && settings.score.amberFrom == nil)
        #expect(settings.sourceOrder == ["Apple Watch of R."] && settings.linkKeys == ["aarcRunId"])
    }

    @Test("a period holds until the next begins, and inherits nothing")
    func periods() throws {
        let settings = try AthleteSettings(Array(Self.full.utf8))
        #expect(settings.period(on: 19_357) == nil)
        #expect(settings.period(on: 19_358)?.ftpWatts == 250)
        #expect(settings.period(on: 19_723)?.zones == [132, 146.5])
        #expect(settings.period(on: 19_723)?.ftpWatts == nil)
    }

    @Test("the hash depends on what the settings say, not on how they are written")
    func hash() throws {
        let compact =
            #"{"sex":"male","periods":[{"ftpWatts":250.0,"from":"2023-01-01"}],"schema":"healthprobe.athlete/1"}"#
        let spaced =
            "{ \"schema\" : \"healthprobe.athlete/1\",\n\"periods\":[ {\"from\":\"2023-01-01\",\"ftpWatts\":250} ],\r\n\t\"sex\":\"male\"}\n"
        #expect(try AthleteSettings(Array(compact.utf8)).sha256 == AthleteSettings(Array(spaced.utf8)).sha256)
        let none = #"{"schema":"healthprobe.athlete/1"}"#
        #expect(try AthleteSettings(Array(none.utf8)).sha256 == AthleteSettings().sha256)
        #expect(AthleteSettings().sha256 == Digest256(hashing: none).hex)
        #expect(AthleteSettings().sha256 != (try AthleteSettings(Array(Self.full.utf8)).sha256))
    }

    @Test(
        "what is wrong is refused, and the message names the member",
        arguments: [
            ("", "JSON"), ("[]", "JSON"), ("{}", "schema"), (#"{"schema":"healthprobe.athlete/2"}"#, "schema"),
            (#"{"schema":"healthprobe.athlete/1",}"#, "JSON"), (#"{"schema":"healthprobe.athlete/1"} x"#, "JSON"),
            (#"{"schema":"healthprobe.athlete/1","weight":70}"#, "/weight"),
            (#"{"schema":"healthprobe.athlete/1","sex":"other"}"#, "/sex"),
            (#"{"schema":"healthprobe.athlete/1","sex":"male","sex":"male"}"#, "/sex"),
            (#"{"schema":"healthprobe.athlete/1","birthDate":"1980-02-30"}"#, "/birthDate"),
            (#"{"schema":"healthprobe.athlete/1","periods":{}}"#, "/periods"),
            (#"{"schema":"healthprobe.athlete/1","periods":[{}]}"#, "/periods/0/from"),
            (
                #"{"schema":"healthprobe.athlete/1","periods":[{"from":"2023-01-01","ftpWatts":0}]}"#,
                "/periods/0/ftpWatts"
            ),
            (
                #"{"schema":"healthprobe.athlete/1","periods":[{"from":"2023-01-01","ftpWatts":"250"}]}"#,
                "/periods/0/ftpWatts"
            ),
            (
                #"{"schema":"healthprobe.athlete/1","periods":[{"from":"2023-01-01","zones":[150,140]}]}"#,
                "/periods/0/zones"
            ),
            (
                #"{"schema":"healthprobe.athlete/1","periods":[{"from":"2023-01-01","zones":[150,"x"]}]}"#,
                "/periods/0/zones"
            ),
            (#"{"schema":"healthprobe.athlete/1","periods":[{"from":"2023-01-01","weight":1}]}"#, "/periods/0/weight"),
            (#"{"schema":"healthprobe.athlete/1","periods":[{"from":"2023-01-01"},{"from":"2023-01-01"}]}"#, "one day"),
            (#"{"schema":"healthprobe.athlete/1","loadSeed":{"date":"2020-01-01","ctl":-1,"atl":0}}"#, "/loadSeed/ctl"),
            (#"{"schema":"healthprobe.athlete/1","sourceOrder":[1]}"#, "/sourceOrder"),
        ])
    func refusals(text: String, place: String) throws {
        let error = #expect(throws: HealthProbeError.self) { try AthleteSettings(Array(text.utf8)) }
        #expect(error?.code == .invalidSettings && error?.message.contains(place) == true)
    }
}
