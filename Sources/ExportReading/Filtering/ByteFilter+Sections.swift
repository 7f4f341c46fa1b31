internal import Basics

extension ByteFilter {
    /// The comments, CDATA sections and processing instructions of a region, whose text no repair of tags may change.
    ///
    /// Real exports have none in their body: two searches for a byte that is rare there find that out. A section may go on
    /// in the next region.
    struct UnparsedSections {
        private enum Kind: CaseIterable {
            case comment
            case characterData
            case instruction

            var begin: StaticString {
                switch self {
                case .comment: "<!--"
                case .characterData: "<![CDATA["
                case .instruction: "<?"
                }
            }

            var end: StaticString {
                switch self {
                case .comment: "-->"
                case .characterData: "]]>"
                case .instruction: "?>"
                }
            }
        }

        /// In ascending order, none touching another.
        private var ranges: [Range<Int>] = []
        /// The section that the region before this one left open.
        private var open: Kind?
        /// The last bytes of an open section: its end may be cut in two.
        private var tail: [UInt8] = []

        /// Looks at the next region.
        mutating func find(in bytes: ByteView) {
            let count = bytes.count
            ranges.removeAll(keepingCapacity: true)
            var from = 0
            if let kind = open {
                open = nil
                from = close(kind, bytes, from: 0, contentFrom: 0)
            }
            var marks = (bang: -1, question: -1)
            while from < count {
                if marks.bang < from { marks.bang = bytes.firstIndex(of: UInt8(ascii: "!"), from: from) ?? count }
                if marks.question < from {
                    marks.question = bytes.firstIndex(of: UInt8(ascii: "?"), from: from) ?? count
                }
                let mark = min(marks.bang, marks.question)
                guard mark < count else { return }
                let start = mark - 1
                let kind = Kind.allCases.first { start >= from && bytes.has($0.begin, at: start) }
                guard let kind else {
                    from = mark + 1
                    continue
                }
                from = close(kind, bytes, from: start, contentFrom: start + kind.begin.utf8CodeUnitCount)
            }
        }

        /// Whether a place of the region is in a section.
        func contain(_ place: Int) -> Bool {
            let index = ranges.partitionPoint { $0.upperBound <= place }
            return index < ranges.count && ranges[index].contains(place)
        }

        /// Notes a section; where it ends, or `count` where it goes on.
        private mutating func close(_ kind: Kind, _ bytes: ByteView, from start: Int, contentFrom: Int) -> Int {
            let content = bytes[contentFrom...]
            let end = ByteView(kind.end)
            // An end that is cut in two: the bytes kept of the region before, then the first ones of this.
            let kept = tail
            tail = []
            for cut in stride(from: min(end.count - 1, kept.count), to: 0, by: -1)
            where kept.suffix(cut).elementsEqual(end[0..<cut]) && content.starts(with: end[cut...]) {
                ranges.append(start..<contentFrom + end.count - cut)
                return contentFrom + end.count - cut
            }
            if let at = content.firstIndex(of: end) {
                let behind = contentFrom + at + end.count
                ranges.append(start..<behind)
                return behind
            }
            open = kind
            tail = Array((kept + content[max(content.count - 2, 0)...].array).suffix(2))
            ranges.append(start..<bytes.count)
            return bytes.count
        }
    }
}
