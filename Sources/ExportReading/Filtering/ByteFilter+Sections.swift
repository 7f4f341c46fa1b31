internal import Cshims
internal import Foundation

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
        mutating func find(in base: UnsafePointer<UInt8>, _ count: Int) {
            ranges.removeAll(keepingCapacity: true)
            var from = 0
            if let kind = open {
                open = nil
                from = close(kind, base, from: 0, contentFrom: 0, count)
            }
            var marks = (bang: -1, question: -1)
            while from < count {
                if marks.bang < from { marks.bang = Self.next(0x21, base, from, count) }
                if marks.question < from { marks.question = Self.next(0x3F, base, from, count) }
                let mark = min(marks.bang, marks.question)
                guard mark < count else { return }
                let start = mark - 1
                let kind = Kind.allCases.first { kind in
                    let length = kind.begin.utf8CodeUnitCount
                    return start >= from && start + length <= count
                        && memcmp(base + start, kind.begin.utf8Start, length) == 0
                }
                guard let kind else {
                    from = mark + 1
                    continue
                }
                from = close(kind, base, from: start, contentFrom: start + kind.begin.utf8CodeUnitCount, count)
            }
        }

        /// Whether a place of the region is in a section.
        func contain(_ place: Int) -> Bool {
            var (low, high) = (0, ranges.count)
            while low < high {
                let middle = (low + high) / 2
                if ranges[middle].upperBound <= place { low = middle + 1 } else { high = middle }
            }
            return low < ranges.count && ranges[low].contains(place)
        }

        /// Notes a section; where it ends, or `count` where it goes on.
        private mutating func close(
            _ kind: Kind, _ base: UnsafePointer<UInt8>, from start: Int, contentFrom: Int, _ count: Int
        ) -> Int {
            let end = kind.end
            let length = end.utf8CodeUnitCount
            // An end that is cut in two: the bytes kept of the region before, then the first ones of this.
            let kept = tail
            tail = []
            for cut in stride(from: min(length - 1, kept.count), to: 0, by: -1)
            where length - cut <= count - contentFrom {
                let mark = UnsafeBufferPointer(start: end.utf8Start, count: length)
                if kept.suffix(cut).elementsEqual(mark[..<cut]),
                    memcmp(base + contentFrom, end.utf8Start + cut, length - cut) == 0
                {
                    ranges.append(start..<contentFrom + length - cut)
                    return contentFrom + length - cut
                }
            }
            if count > contentFrom, let at = memmem(base + contentFrom, count - contentFrom, end.utf8Start, length) {
                let behind = UnsafeRawPointer(base).distance(to: at) + length
                ranges.append(start..<behind)
                return behind
            }
            open = kind
            tail = Array(
                (kept + UnsafeBufferPointer(start: base + contentFrom, count: count - contentFrom).suffix(2)).suffix(2))
            ranges.append(start..<count)
            return count
        }

        private static func next(_ byte: Int32, _ base: UnsafePointer<UInt8>, _ from: Int, _ count: Int) -> Int {
            guard let at = memchr(base + from, byte, count - from) else { return count }
            return UnsafeRawPointer(base).distance(to: at)
        }
    }
}
