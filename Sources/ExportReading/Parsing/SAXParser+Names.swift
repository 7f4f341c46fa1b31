internal import Basics

extension UnsafeSAXParser {
    // MARK: - The document's own elements

    func startRoot(_ element: SAXElement) {
        guard element.name.view == ByteView("HealthData") else {
            stop("otherRoot")
            return
        }
        header.sawRoot = true
        for (name, value) in element.strings {
            if name == "locale" {
                header.locale = value
            } else {
                header.extras.append(("HealthData@\(name)", value))
            }
        }
        previousEnd = position
    }

    /// Takes `ExportDate`; false for everything that is an item.
    func startHeaderElement(_ element: SAXElement) -> Bool {
        flushRootText()
        guard !element.name.hasPrefix, element.name.view == ByteView("ExportDate") else { return false }
        // A second one is kept as an unknown item.
        guard !sawExportDate else { return false }
        sawExportDate = true
        for (name, value) in element.strings {
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
    func keepHeaderChild(_ element: SAXElement) {
        flushRootText()
        guard header.extras.count < Self.maximumExtras, extraBytes < ExportReading.Limits.tagBytes else { return }
        let path = "ExportDate/" + element.name.text
        header.extras.append((path, ""))
        extraBytes += path.utf8.count
        for (name, value) in element.strings.prefix(Self.maximumExtras) {
            header.extras.append(("\(path)@\(name)", value))
            extraBytes += path.utf8.count + name.utf8.count + value.utf8.count
        }
    }

    // MARK: - Names

    /// The number of a name on the tape; `TapePage.spelled` for one that has none.
    @inline(__always)
    func nameNumber(_ name: SAXName) -> UInt8 {
        guard !name.hasPrefix else { return TapePage.spelled }
        let slot = name.address >> 2 & 255
        if nameCache[slot].address == name.address { return nameCache[slot].number }
        let number = TapeName.number(of: name.view) ?? TapePage.spelled
        nameCache[slot] = (name.address, number)
        return number
    }

    @inline(__always)
    func appendName(_ number: UInt8, _ name: SAXName, _ out: ByteBuffer) {
        if number != TapePage.spelled {
            out.append(number)
        } else {
            appendSpelled(name.text, out)
        }
    }

    /// Writes the namespaces that a tag declares and its attributes, with their number before them.
    ///
    /// - Parameter limit: how many are written at most.
    @inline(__always)
    func appendAttributes(of element: SAXElement, limit: Int, _ out: ByteBuffer) {
        let namespaceCount = min(element.namespaceCount, limit)
        let count = min(element.attributeCount, limit - namespaceCount)
        out.append(word: UInt32(count + namespaceCount))
        for index in 0..<namespaceCount {
            let (name, uri) = element.namespace(index)
            appendSpelled(name, out)
            out.append(word: UInt32(uri.count))
            out.append(uri)
        }
        for index in 0..<count {
            guard let (name, value) = element.attribute(index) else { continue }
            appendName(nameNumber(name), name, out)
            out.append(word: UInt32(value.count))
            out.append(value)
        }
    }

    func appendSpelled(_ name: String, _ out: ByteBuffer) {
        out.append(TapePage.spelled)
        out.append(word: UInt32(name.utf8.count))
        out.append(name)
    }
}
