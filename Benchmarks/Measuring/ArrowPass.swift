internal import Foundation

/// PyPI's `xml2arrow`, which reads the attributes of an export's records into Arrow tables on one thread.
enum ArrowPass {
    /// What is measured of Python, with the configuration that the package wants.
    private static let script = #"""
        import sys, tempfile
        from xml2arrow import XmlToArrowParser
        names = "type sourceName sourceVersion device unit creationDate startDate endDate value".split()
        field = "      - {name: %s, xml_path: /HealthData/Record/@%s, data_type: Utf8, nullable: true}\n"
        table = "tables:\n  - name: records\n    xml_path: /HealthData\n    levels: []\n    fields:\n"
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(table + "".join(field % (name, name) for name in names))
            file.flush()
            print(XmlToArrowParser(file.name).parse(sys.argv[1])["records"].num_rows)
        """#

    /// A pass over an export; nil, with a word, if the package is not installed.
    ///
    /// - Throws: `BenchmarkError` if Python cannot be started or the pass fails.
    static func measure(_ export: String) throws -> Measurement? {
        let python = ProcessInfo.processInfo.environment["HEALTHPROBE_ARROW_PYTHON"] ?? "/usr/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: python),
            try ChildProcess.run(python, ["-c", "import xml2arrow"]).status == 0
        else {
            Progress.say("  xml2arrow is not installed; skipped")
            return nil
        }
        try Files.warm(export)
        return try ChildProcess.run(python, ["-c", script, export]).requireSuccess().measurement
    }
}
