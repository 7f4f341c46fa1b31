internal import Foundation
internal import TextFormats

extension UnsafeSAXParser {
    // MARK: - The document's own elements

    func startRoot(_ name: UnsafePointer<UInt8>, _ attributes: [(String, String)]) {
        guard strcmp(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self), "HealthData") == 0 else {
            stop("otherRoot")
            return
        }
        header.sawRoot = true
        for (name, value) in attributes {
            if name == "locale" {
                header.locale = value
            } else {
                header.extras.append(("HealthData@\(name)", value))
            }
        }
        previousEnd = position
    }

    /// Takes `ExportDate`; false for everything that is an item.
    func startHeaderElement(
        _ name: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?, _ namespaceCount: Int,
        _ namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) -> Bool {
        flushRootText()
        guard prefix == nil, strcmp(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self), "ExportDate") == 0
        else {
            return false
        }
        // A second one is kept as an unknown item.
        guard !sawExportDate else { return false }
        sawExportDate = true
        for (name, value) in Self.strings(namespaceCount, namespaces, count, attributes) {
            if name == "value" {
                header.exportDateText = value
                header.exportDate = Instant(value)
                // What is no date stays as text.
                if header.exportDate == nil { header.extras.append(("ExportDate@value", value)) }
            } else {
                header.extras.append(("ExportDate@\(name)", value))
            }
        }
        return true
    }

    /// Keeps an element in `ExportDate`, which Apple never wrote: its name, then each of its attributes.
    func keepHeaderChild(
        _ name: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?, _ attributes: [(String, String)]
    ) {
        flushRootText()
        guard header.extras.count < Self.maximumExtras else { return }
        let path = "ExportDate/" + (prefix.map { String(cString: $0) + ":" } ?? "") + String(cString: name)
        header.extras.append((path, ""))
        for (name, value) in attributes.prefix(Self.maximumExtras) {
            header.extras.append(("\(path)@\(name)", value))
        }
    }

    /// The namespaces that a tag declares and its attributes, by their names as printed.
    static func strings(
        _ namespaceCount: Int, _ namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) -> [(String, String)] {
        let declared = (0..<namespaceCount).map { index in
            let uri = namespaces?[index * 2 + 1].map { String(cString: $0) } ?? ""
            return (namespaces?[index * 2].map { "xmlns:" + String(cString: $0) } ?? "xmlns", uri)
        }
        guard let attributes else { return declared }
        return declared
            + (0..<count).compactMap { index in
                let at = index * 5
                guard let name = attributes[at], let from = attributes[at + 3], let to = attributes[at + 4] else {
                    return nil
                }
                let prefix = attributes[at + 1].map { String(cString: $0) + ":" } ?? ""
                return (prefix + String(cString: name), ByteView(from, from.distance(to: to)).string)
            }
    }

    // MARK: - Names

    /// The number of a name on the tape; `TapePage.spelled` for one that has none.
    @inline(__always)
    func nameNumber(_ name: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?) -> UInt8 {
        guard prefix == nil else { return TapePage.spelled }
        // libxml2 keeps each name once, so its address identifies it while the document is parsed.
        let slot = Int(bitPattern: name) >> 2 & 255
        if nameCache[slot].pointer == name { return nameCache[slot].number }
        let number = TapeName.number(of: Self.view(name))
        nameCache[slot] = (name, number)
        return number
    }

    @inline(__always)
    func appendName(
        _ number: UInt8, _ name: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?, _ out: ByteBuffer
    ) {
        if number != TapePage.spelled {
            out.append(number)
        } else if let prefix {
            appendSpelled(String(cString: prefix) + ":" + String(cString: name), out)
        } else {
            let name = Self.view(name)
            out.append(TapePage.spelled)
            out.append(word: UInt32(name.count))
            out.append(name.start, name.count)
        }
    }

    /// Writes the namespaces that a tag declares and its attributes, with their number before them.
    @inline(__always)
    func appendAttributes(
        _ namespaceCount: Int, _ namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ out: ByteBuffer
    ) {
        out.append(word: UInt32(count + namespaceCount))
        for index in 0..<namespaceCount {
            let declared = namespaces?[index * 2]
            appendSpelled(declared.map { "xmlns:" + String(cString: $0) } ?? "xmlns", out)
            let uri = namespaces?[index * 2 + 1]
            let length = uri.map { strlen(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) } ?? 0
            out.append(word: UInt32(length))
            if let uri { out.append(uri, length) }
        }
        guard let attributes else { return }
        for index in 0..<count {
            let at = index * 5
            guard let attributeName = attributes[at], let from = attributes[at + 3], let to = attributes[at + 4] else {
                continue
            }
            let length = from.distance(to: to)
            let prefix = attributes[at + 1]
            appendName(nameNumber(attributeName, prefix), attributeName, prefix, out)
            out.append(word: UInt32(length))
            out.append(from, length)
        }
    }

    func appendSpelled(_ name: String, _ out: ByteBuffer) {
        out.append(TapePage.spelled)
        out.append(word: UInt32(name.utf8.count))
        out.append(name)
    }

    private static func view(_ name: UnsafePointer<UInt8>) -> ByteView {
        ByteView(name, strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)))
    }
}
