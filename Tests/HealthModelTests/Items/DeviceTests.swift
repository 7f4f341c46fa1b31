import Basics
import HealthModel
import Testing

struct DeviceTests {
    private static func apple(_ rest: String, pointer: String = "282e3a260") -> String {
        "<<HKDevice: 0x\(pointer)>, \(rest)>"
    }

    @Test(
        arguments: [
            (
                apple("name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone10,4, software:12.3"),
                [
                    "name": "iPhone", "manufacturer": "Apple Inc.", "model": "iPhone", "hardware": "iPhone10,4",
                    "software": "12.3",
                ]
            ),
            (
                apple(
                    "name:A, model:B, C, manufacturer:x, model:Watch, hardware:Watch6,1, software:10, creation date:2024-08-31 17:17:55 +0000"
                ),
                [
                    "name": "A, model:B, C", "manufacturer": "x", "model": "Watch", "hardware": "Watch6,1",
                    "software": "10",
                ]
            ),
            (apple("name:W, software:0.0.0"), ["name": "W"]), (apple("name:W, software:"), ["name": "W"]),
            (apple("name:W, software:0.0.00"), ["name": "W", "software": "0.0.00"]),
            (
                apple("name:W, firmware:1, localIdentifier:38:EC:0-tacl, UDIDeviceIdentifier:(01)"),
                ["name": "W", "firmware": "1", "localIdentifier": "38:EC:0-tacl", "UDIDeviceIdentifier": "(01)"]
            ),
            (apple("name:a>b"), ["name": "a>b"]), (apple("name:"), ["name": ""]),
            (apple("model:0x200e"), ["model": "0x200e"]),
            ("<<HKDevice: 0x1>, creation date:2024-08-31 17:17:55 +0000>", [:]), ("<<HKDevice: 0x1>", [:]),
            ("<<HKDevice: 0x1>>", [:]),
            ("<<HKDevice: 0x1>, name:open", ["description": ", name:open"]),
            ("<<HKDevice: 0x1>, other:x>", ["description": ", other:x"]),
            ("<<HKDevice: 0xXY>, name:a>", ["description": "<<HKDevice: 0xXY>, name:a>"]),
            ("plain", ["description": "plain"]),
            ("", ["description": ""]), ("<<HKDevice: 0x1", ["description": "<<HKDevice: 0x1"]),
            (apple("name:e\u{301}, model:é"), ["name": "e\u{301}", "model": "é"]),
        ] as [(String, [String: String])])
    func fields(text: String, fields: [String: String]) { #expect(Device(text).fields == fields) }

    /// Whatever stands behind it, the address makes no difference.
    @Test(arguments: ["", ">", ", name:a>", ", name:a", "x", ", other:1>", "> >"])
    func addressMakesNoDifference(rest: String) {
        let texts = ["1", "282e3a260", "ABCDEF"].map { "<<HKDevice: 0x\($0)>\(rest)" }
        #expect(Set(texts.map { Device($0).canonicalJSON.canonicalText }).count == 1)
    }

    @Test func canonicalFormIsSorted() {
        #expect(
            Device(Self.apple("name:b, manufacturer:a \"q\", model:c")).canonicalJSON.canonicalText
                == "{\"manufacturer\":\"a \\\"q\\\"\",\"model\":\"c\",\"name\":\"b\"}")
    }
}
