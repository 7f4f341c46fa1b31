internal import Foundation

/// A tiny handwritten export: a folder with its XML and side files.
package struct TestExport {
    package var date = "2024-01-01 10:00:00 +0000"
    package var items: [String] = []
    /// Side files by path.
    package var files: [String: String] = [:]
    /// Ends the XML in the middle of a tag behind the items.
    package var isTruncated = false

    /// The export of a day in January 2024.
    package init(day: Int, _ items: [String] = [], files: [String: String] = [:], isTruncated: Bool = false) {
        date = "2024-01-\(day < 10 ? "0" : "")\(day) 10:00:00 +0000"
        self.items = items
        self.files = files
        self.isTruncated = isTruncated
    }

    package var xml: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="en_US">
         <ExportDate value="\(date)"/>
         \(items.joined(separator: "\n "))
        \(isTruncated ? " <Record type=\"HK" : "</HealthData>")

        """
    }

    /// - Throws: what the file system says.
    package func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try xml.write(toFile: folder + "/export.xml", atomically: false, encoding: .utf8)
        for (path, text) in files {
            let file = folder + "/" + path
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: false, encoding: .utf8)
        }
    }
}

/// A record as XML; minutes count from 2024-01-01 00:00.
package struct TestRecord {
    package var type: String
    package var minute: Int
    package var duration: Int
    package var value: String?
    package var unit: String?
    package var source: String
    package var version: String?
    package var device: String?
    package var created: Int
    package var metadata: [(String, String)]

    package init(
        type: String = "HKQuantityTypeIdentifierStepCount", minute: Int = 0, duration: Int = 1, value: String? = "10",
        unit: String? = "count", source: String = "Watch", version: String? = "10.1",
        device: String? = "&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, model:Watch&gt;", created: Int = 5,
        metadata: [(String, String)] = []
    ) {
        (self.type, self.minute, self.duration, self.value, self.unit) = (type, minute, duration, value, unit)
        (self.source, self.version, self.device, self.created) = (source, version, device, created)
        self.metadata = metadata
    }

    package static func time(_ minute: Int) -> String {
        let hours = String(format: "%02d:%02d:00", minute / 60 % 24, minute % 60)
        return "2024-01-\(String(format: "%02d", 1 + minute / 1440)) \(hours) +0000"
    }

    package var xml: String {
        var text = "<Record type=\"\(type)\" sourceName=\"\(source)\""
        if let version { text += " sourceVersion=\"\(version)\"" }
        if let device { text += " device=\"\(device)\"" }
        if let unit { text += " unit=\"\(unit)\"" }
        text += " creationDate=\"\(Self.time(minute + created))\" startDate=\"\(Self.time(minute))\""
        text += " endDate=\"\(Self.time(minute + duration))\""
        if let value { text += " value=\"\(value)\"" }
        if metadata.isEmpty { return text + "/>" }
        return text + ">" + metadata.map { "<MetadataEntry key=\"\($0.0)\" value=\"\($0.1)\"/>" }.joined() + "</Record>"
    }

    /// Step counts, one a minute.
    package static func steps(_ minutes: Range<Int>, _ change: (inout TestRecord) -> Void = { _ in }) -> [String] {
        minutes.map { minute in
            var record = TestRecord(minute: minute, value: "\(10 + minute)")
            change(&record)
            return record.xml
        }
    }

    package static let heart = "HKQuantityTypeIdentifierHeartRate"

    /// Heart rates, one a minute.
    package static func hearts(_ minutes: Range<Int>, source: String = "Watch") -> [String] {
        minutes.map { TestRecord(type: heart, minute: $0, value: "6\($0)", unit: "count/min", source: source).xml }
    }
}
