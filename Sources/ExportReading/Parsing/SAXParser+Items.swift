internal import Basics
internal import HealthModel

/// What libxml2 reports, as items on the tape.
extension UnsafeSAXParser {
    func startElement(_ element: SAXElement) {
        guard !isStopped else { return }
        depth += 1
        if depth > ExportReading.Limits.openElements {
            stop("depthOver1000000")
            return
        }
        switch depth {
        case 1:
            startRoot(element)
            return
        case 2:
            if startHeaderElement(element) { return }
            inItem = true
            overCap = nil
            itemElements = 0
            itemFrom = page.bytes.count
            itemStart = tagStart
            placedDepths.removeAll(keepingCapacity: true)
        default:
            guard inItem else {
                keepHeaderChild(element)
                return
            }
        }
        flushText()
        itemElements += 1
        guard overCap == nil else { return }
        let cap = ExportReading.Limits.attributes
        if depth > ExportReading.Limits.depth {
            overCap = .depth
        } else if element.attributeCount + element.namespaceCount > cap {
            overCap = .attributes
        } else if itemElements > ExportReading.Limits.itemElements {
            overCap = .elements
        } else if position - itemStart.byte > ExportReading.Limits.itemBytes {
            overCap = .itemSize
        }
        let number = nameNumber(element.name)
        let isInnerItem = depth > 2 && (number == TapeName.record || number == TapeName.workoutRoute)
        // The tag of an item is kept whatever its size, so that the quarantine can name the item.
        guard overCap == nil || depth == 2 || isInnerItem else { return }
        let out = page.bytes
        if isInnerItem {
            let start = tagStart
            out.append(TapePage.place)
            out.append(long: start.line)
            out.append(long: start.byte)
            placedDepths.append(depth)
        }
        out.append(TapePage.start)
        appendName(number, element.name, out)
        appendAttributes(of: element, limit: cap, out)
    }

    func endElement() {
        guard !isStopped else { return }
        if inItem {
            flushText()
            // Text, comments and end tags may have come behind the last start tag.
            let isBeyondCap = depth == 2 && position - itemStart.byte > ExportReading.Limits.itemBytes
            if isBeyondCap, overCap == nil { overCap = .itemSize }
            if overCap == nil {
                if placedDepths.last == depth {
                    placedDepths.removeLast()
                    page.bytes.append(TapePage.placeEnd)
                    page.bytes.append(long: position)
                }
                page.bytes.append(TapePage.end)
            }
            if depth == 2 { endItem() }
        } else if depth == 2 {
            previousEnd = position
        } else if depth == 1 {
            flushRootText()
            header.rootEnded = true
        }
        depth -= 1
    }

    private func endItem() {
        inItem = false
        let end = position
        page.items.append(
            .init(
                from: itemFrom, to: page.bytes.count,
                place: XMLPlace(line: itemStart.line, byteStart: itemStart.byte, byteEnd: end), overCap: overCap))
        previousEnd = end
        flushFull()
    }

    func characters(_ run: ByteView) {
        guard !isStopped, depth > 0, overCap == nil || !inItem else { return }
        var text = run
        if textRun.count == 0 {
            // Indentation is the usual text: one look at each byte, no copy.
            var blanks = 0
            while blanks < text.count, text[blanks] <= 0x20 { blanks += 1 }
            if blanks == text.count { return }
            text = text[blanks...]
        }
        if inItem, textRun.count + text.count > ExportReading.Limits.itemBytes {
            overCap = .itemSize
            textRun.removeAll()
        } else {
            // Beside items a text is cut at one length, whatever the pieces are.
            let room = inItem ? text.count : max((1 << 16) - textRun.count, 0)
            textRun.append(text[0..<min(text.count, room)])
        }
    }

    /// Text counts without the white space around it: libxml2 delivers it in pieces that depend on the chunks.
    func trimText() {
        while textRun.count > 0, textRun[textRun.count - 1] <= 0x20 { textRun.truncate(to: textRun.count - 1) }
    }

    private func flushText() {
        guard textRun.count > 0 else { return }
        trimText()
        if inItem, overCap == nil {
            page.bytes.append(TapePage.text)
            page.bytes.append(word: UInt32(textRun.count))
            page.bytes.append(textRun.view)
        } else if !inItem {
            flushRootText()
        }
        textRun.removeAll()
    }

    func flushRootText() {
        trimText()
        defer { textRun.removeAll() }
        guard textRun.count > 0, header.extras.count < Self.maximumExtras else { return }
        header.extras.append(("HealthData#text", textRun.text))
    }
}
