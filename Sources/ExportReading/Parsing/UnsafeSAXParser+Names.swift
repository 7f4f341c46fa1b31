internal import Foundation
internal import HealthModel

extension UnsafeSAXParser {
    // MARK: - The document's own elements

    func startRoot(
        _ name: UnsafePointer<UInt8>, _ count: Int, _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) {
        guard strcmp(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self), "HealthData") == 0 else {
            stop("otherRoot")
            return
        }
        header.sawRoot = true
        for (name, value) in Self.strings(count, attributes) {
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
        _ name: UnsafePointer<UInt8>, _ count: Int, _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) -> Bool {
        flushRootText()
        guard strcmp(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self), "ExportDate") == 0 else {
            return false
        }
        // A second one is kept as an unknown item.
        guard !sawExportDate else { return false }
        sawExportDate = true
        for (name, value) in Self.strings(count, attributes) {
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
        _ name: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?, _ count: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) {
        flushRootText()
        guard header.extras.count < Self.maximumExtras else { return }
        let path = "ExportDate/" + (prefix.map { String(cString: $0) + ":" } ?? "") + String(cString: name)
        header.extras.append((path, ""))
        for (name, value) in Self.strings(count, attributes).prefix(Self.maximumExtras) {
            header.extras.append(("\(path)@\(name)", value))
        }
    }

    private static func strings(
        _ count: Int, _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) -> [(String, String)] {
        guard let attributes else { return [] }
        return (0..<count).compactMap { index in
            let at = index * 5
            guard let name = attributes[at], let from = attributes[at + 3], let to = attributes[at + 4] else {
                return nil
            }
            let prefix = attributes[at + 1].map { String(cString: $0) + ":" } ?? ""
            return (prefix + String(cString: name), ByteView(from, from.distance(to: to)).string)
        }
    }

    // MARK: - Names

    @inline(__always)
    func appendName(_ name: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?, _ out: ByteBuffer) {
        if let prefix {
            appendSpelled(String(cString: prefix) + ":" + String(cString: name), out)
            return
        }
        // libxml2 keeps each name once, so its address stands for it while the document is parsed.
        let slot = Int(bitPattern: name) >> 2 & 255
        let number: UInt8
        if nameCache[slot].pointer == name {
            number = nameCache[slot].number
        } else {
            number = TapeName.number(of: Self.view(name))
            nameCache[slot] = (name, number)
        }
        out.append(number)
        if number == TapePage.spelled {
            let name = Self.view(name)
            out.append(word: UInt32(name.count))
            out.append(name.start, name.count)
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
