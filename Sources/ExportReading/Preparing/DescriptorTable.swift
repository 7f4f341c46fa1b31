internal import Basics
internal import HealthModel

/// The descriptors and sample types that an import has met, with their parts of the payload as canonical JSON.
final class DescriptorTable {
    /// The fixed pieces of canonical JSON around a record's own fields, as slices of `arena`.
    struct Fragments {
        /// `"device":{…}` or nothing.
        var device: ByteSlice
        /// `"sourceName":"…","sourceVersion":"…"` as far as present.
        var source: ByteSlice
        /// The unit as the last field of the strict key: `"kg"` or `null`.
        var unit: ByteSlice
    }

    private let descriptorNumbers = ByteInterner()
    private let typeNumbers = ByteInterner()
    /// Fragments and type literals by number, less what was forgotten.
    private var fragments: [Fragments] = []
    private var typeLiterals: [ByteSlice] = []
    private var firstDescriptor: Int32 = 0
    private var firstType: Int32 = 0
    private let arena = ByteBuffer(capacity: 1 << 14)
    private let key = ByteBuffer(capacity: 1024)
    /// Entries kept; a file with more descriptors or types than this pays for building them again.
    private static let maximumEntries = 20_000
    private static let maximumBytes = 8 << 20

    /// The number of a record's descriptor, defined in the page where it is new.
    @inline(__always)
    func descriptor(
        unit: ByteView?, sourceName: ByteView?, sourceVersion: ByteView?, device: ByteView?, page: ItemPage
    ) -> Int32 {
        key.removeAll()
        append(unit)
        append(sourceName)
        append(sourceVersion)
        let body = device.map { $0[Device.bodyStart(of: $0)...] }
        append(body)
        // A text that looks like another one behind its address is another device all the same.
        key.append(body?.count == device?.count ? 0 : 1)
        let view = key.view
        if let number = descriptorNumbers.number(of: view), number >= firstDescriptor { return number }
        return define(
            Descriptor(
                unit: unit?.string, sourceName: sourceName?.string, sourceVersion: sourceVersion?.string,
                deviceText: device?.string), view, page)
    }

    private func define(_ descriptor: Descriptor, _ view: ByteView, _ page: ItemPage) -> Int32 {
        let number = firstDescriptor + Int32(fragments.count)
        descriptorNumbers.insert(view, number: number)
        page.newDescriptors.append((number, descriptor))
        var source: [String] = []
        if let name = descriptor.sourceName { source.append("\"sourceName\":" + JSON.string(name).canonicalText) }
        if let version = descriptor.sourceVersion {
            source.append("\"sourceVersion\":" + JSON.string(version).canonicalText)
        }
        fragments.append(
            Fragments(
                device: store(descriptor.device.map { "\"device\":\($0)" } ?? ""),
                source: store(source.joined(separator: ",")),
                unit: store((descriptor.unit.map { JSON.string($0) } ?? .null).canonicalText)))
        return number
    }

    /// The canonical JSON pieces of a descriptor that this table has given out since `forgetIfFull`.
    @inline(__always)
    func fragments(_ number: Int32) -> Fragments { fragments[Int(number - firstDescriptor)] }

    /// A slice of this table's arena.
    @inline(__always)
    func view(_ slice: ByteSlice) -> ByteView { arena.view(slice) }

    /// The number of a sample type, defined in the page where it is new.
    @inline(__always)
    func type(_ view: ByteView, page: ItemPage) -> Int32 {
        if let number = typeNumbers.number(of: view), number >= firstType { return number }
        let number = firstType + Int32(typeLiterals.count)
        typeNumbers.insert(view, number: number)
        page.newTypes.append((number, view.string))
        typeLiterals.append(store(JSON.string(view.string).canonicalText))
        return number
    }

    /// The sample type as a JSON string literal.
    @inline(__always)
    func typeLiteral(_ number: Int32) -> ByteView { view(typeLiterals[Int(number - firstType)]) }

    /// Starts again where a hostile file has filled the table; numbers given out before are not given out again.
    func forgetIfFull() {
        guard fragments.count + typeLiterals.count > Self.maximumEntries || arena.count > Self.maximumBytes else {
            return
        }
        firstDescriptor += Int32(fragments.count)
        firstType += Int32(typeLiterals.count)
        fragments.removeAll()
        typeLiterals.removeAll()
        descriptorNumbers.removeAll()
        typeNumbers.removeAll()
        arena.removeAll()
    }

    private func store(_ text: String) -> ByteSlice {
        let offset = arena.count
        arena.append(text)
        return arena.slice(from: offset)
    }

    @inline(__always)
    private func append(_ view: ByteView?) {
        guard let view else {
            key.append(word: .max)
            return
        }
        key.append(word: UInt32(view.count))
        key.append(view)
    }
}
