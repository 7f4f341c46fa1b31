/// Writes the items of one dump as its export prints them; what many records share is prepared once.
final class DumpRenderer {
    /// The bytes that all records of one source and version share.
    private struct Prepared {
        let source: [UInt8]
        let deviceTail: [UInt8]?
    }

    let phone: SimulatedPhone
    let dump: Dump
    private let sources: [[Prepared]]
    private let typeHeads: [[UInt8]]
    private let unitTexts: [[UInt8]]
    private let deviceHead = Array(" device=\"&lt;&lt;HKDevice: 0x28".utf8)

    init(phone: SimulatedPhone, dump: Dump) {
        self.phone = phone
        self.dump = dump
        sources = Source.allCases.map { source in
            source.versions.indices.map { version in
                let date = dump.hasDeviceDates ? Self.deviceDate(phone: phone, version: version, source: source) : nil
                let name = " sourceName=\"\(Self.escape(dump.names[source.rawValue]))\""
                return Prepared(
                    source: Array((name + " sourceVersion=\"\(source.versions[version])\"").utf8),
                    deviceTail: source.device(version: version, creationDate: date).map {
                        Array("&gt;, \(Self.escape($0))&gt;\"".utf8)
                    })
            }
        }
        typeHeads = SampleCatalog.types.map { Array("<Record type=\"\($0.identifier)\"".utf8) }
        unitTexts = dump.units.map { unit in
            unit.map { Array(" unit=\"\(Self.escape($0.name))\"".utf8) } ?? []
        }
    }

    /// Writes a record with its metadata, `indent` levels deep.
    func record(_ sample: Sample, _ type: SampleType, indent: Int, to out: OutputBuffer) {
        pad(indent, out)
        out.raw(typeHeads[type.number])
        sourceAttributes(sample, type, to: out)
        out.raw(unitTexts[type.number])
        dateAttributes(sample, to: out)
        if sample.value >= 0 {
            out.text(" value=\"")
            value(sample, type, to: out)
            out.byte(0x22)
        }
        guard hasChildren(sample, type) else {
            out.line("/>")
            return
        }
        out.line(">")
        children(sample, type, indent: indent + 1, to: out)
        pad(indent, out)
        out.line("</Record>")
    }

    /// Writes source name, version and device, the latter with an address of its own.
    func sourceAttributes(_ sample: Sample, _ type: SampleType, to out: OutputBuffer) {
        let prepared = sources[sample.source.rawValue][sample.version]
        out.raw(prepared.source)
        guard let tail = prepared.deviceTail else { return }
        out.raw(deviceHead)
        let salt = UInt64(type.number) << 8 | UInt64(dump.number)
        out.hexadecimal(Hashing.combine(phone.seed, sample.id, salt) & 0x0FFF_FFF0 | 0x3000_0000, digits: 7)
        out.raw(tail)
    }

    func dateAttributes(_ sample: Sample, to out: OutputBuffer) {
        out.attribute("creationDate", sample.creation, offsetSeconds: dump.offsetSeconds)
        out.attribute("startDate", sample.start, offsetSeconds: dump.offsetSeconds)
        out.attribute("endDate", sample.end, offsetSeconds: dump.offsetSeconds)
    }

    /// Writes a value in the dump's unit, or the name of a category value.
    func value(_ sample: Sample, _ type: SampleType, to out: OutputBuffer) {
        guard type.categories.isEmpty else {
            let index = Int(sample.value)
            let isOld = dump.hasOldSleepNames && index == SampleCatalog.asleepUnspecified && type.isSleep
            out.text(isOld ? "HKCategoryValueSleepAnalysisAsleep" : type.categories[index])
            return
        }
        out.sixDigits(sample.value * (dump.units[type.number]?.factor ?? 1))
    }

    func metadata(_ key: String, _ value: String, indent: Int, to out: OutputBuffer) {
        pad(indent, out)
        out.text("<MetadataEntry key=\"")
        out.text(key)
        out.text("\" value=\"")
        out.escaped(value)
        out.line("\"/>")
    }

    func pad(_ indent: Int, _ out: OutputBuffer) {
        for _ in 0..<indent { out.byte(0x20) }
    }

    private static func escape(_ text: String) -> String {
        OutputBuffer.printed { $0.escaped(text) }
    }

    private static func deviceDate(phone: SimulatedPhone, version: Int, source: Source) -> String {
        let first = source == .watch ? phone.watchChangeDay : 0
        let midnight = (phone.firstDayNumber + first + version * 130) * 86_400
        let instant = midnight + 6 * 3600 + version * 7 % 60 * 60 + 12
        return OutputBuffer.printed { $0.date(instant, offsetSeconds: 0) }
    }
}
