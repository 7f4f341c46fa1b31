internal import HealthModel

/// The descriptors and sample types that an import has met, with their parts of the payload as canonical JSON.
final class DescriptorTable {
    /// The fixed pieces of canonical JSON around a record's own fields.
    struct Fragments {
        /// `"device":{…}` or nothing.
        var device: [UInt8]
        /// `"sourceName":"…","sourceVersion":"…"` as far as present.
        var source: [UInt8]
        /// The unit as the last field of the strict key: `"kg"` or `null`.
        var unit: [UInt8]
    }

    private let descriptorNumbers = ByteInterner()
    private let typeNumbers = ByteInterner()
    private var fragments: [Int32: Fragments] = [:]
    private var typeJSON: [Int32: [UInt8]] = [:]
    private var nextDescriptor: Int32 = 0
    private var nextType: Int32 = 0
    private let key = ByteBuffer(capacity: 1024)
    /// Fragments kept; a file with more descriptors than this pays for building them again.
    private static let maximumFragments = 20_000

    /// The number of a record's descriptor, defined in the page where it is new.
    @inline(__always)
    func descriptor(
        unit: ByteView?, sourceName: ByteView?, sourceVersion: ByteView?, device: ByteView?, page: ItemPage
    ) -> Int32 {
        key.removeAll()
        append(unit)
        append(sourceName)
        append(sourceVersion)
        append(device.map(Self.withoutPointer))
        let view = ByteView(key.base, key.count)
        if let number = descriptorNumbers.number(of: view), fragments[number] != nil { return number }
        return define(
            Descriptor(
                unit: unit?.string, sourceName: sourceName?.string, sourceVersion: sourceVersion?.string,
                deviceText: device?.string), view, page)
    }

    private func define(_ descriptor: Descriptor, _ view: ByteView, _ page: ItemPage) -> Int32 {
        if fragments.count >= Self.maximumFragments {
            fragments.removeAll()
            descriptorNumbers.removeAll()
        }
        let number = nextDescriptor
        nextDescriptor += 1
        descriptorNumbers.insert(view, number: number)
        page.newDescriptors.append((number, descriptor))
        var source: [String] = []
        if let name = descriptor.sourceName { source.append("\"sourceName\":" + CanonicalJSON.string(name).text) }
        if let version = descriptor.sourceVersion {
            source.append("\"sourceVersion\":" + CanonicalJSON.string(version).text)
        }
        fragments[number] = Fragments(
            device: descriptor.device.map { Array("\"device\":\($0)".utf8) } ?? [],
            source: Array(source.joined(separator: ",").utf8),
            unit: Array((descriptor.unit.map { CanonicalJSON.string($0) } ?? .null).text.utf8))
        return number
    }

    /// The canonical JSON pieces of a descriptor that this table has given out.
    @inline(__always)
    func withFragments<R>(_ number: Int32, _ body: (Fragments) -> R) -> R? {
        fragments[number].map(body)
    }

    /// The number of a sample type, defined in the page where it is new.
    @inline(__always)
    func type(_ view: ByteView, page: ItemPage) -> Int32 {
        if let number = typeNumbers.number(of: view), typeJSON[number] != nil { return number }
        if typeJSON.count >= Self.maximumFragments {
            typeJSON.removeAll()
            typeNumbers.removeAll()
        }
        let number = nextType
        nextType += 1
        typeNumbers.insert(view, number: number)
        page.newTypes.append((number, view.string))
        typeJSON[number] = Array(CanonicalJSON.string(view.string).text.utf8)
        return number
    }

    /// The sample type as a JSON string literal.
    @inline(__always)
    func typeLiteral(_ number: Int32) -> [UInt8] { typeJSON[number] ?? [] }

    @inline(__always)
    private func append(_ view: ByteView?) {
        guard let view else {
            key.append(word: .max)
            return
        }
        key.append(word: UInt32(view.count))
        key.append(view.start, view.count)
    }

    /// A device text from behind its memory address, which differs per record.
    @inline(__always)
    private static func withoutPointer(_ view: ByteView) -> ByteView {
        let prefix: StaticString = "<<HKDevice: 0x"
        let length = prefix.utf8CodeUnitCount
        guard view.count > length, ByteView(view.start, length) == ByteView(prefix.utf8Start, length) else { return view }
        var i = length
        while i < view.count, view.start[i] != 0x3E { i += 1 }
        return ByteView(view.start + i, view.count - i)
    }
}
