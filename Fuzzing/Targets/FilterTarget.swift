internal import Basics
internal import ExportReading
internal import Foundation

/// The filter's output is well-formed UTF-8 without forbidden control characters, as long as its input, with every
/// change counted; filtering it again changes nothing.
enum FilterTarget {
    static func run(_ bytes: ByteView) {
        let region = ByteBuffer(capacity: bytes.count + 1)
        region.append(bytes)
        var filter = ByteFilter()
        if let prolog = ByteFilter.prolog(region.view) {
            precondition(prolog.root < region.count)
            if let doctype = prolog.doctype {
                precondition(doctype < prolog.root)
                filter.blankDoctype(region, from: doctype, root: prolog.root)
                precondition(ByteFilter.prolog(region.view)?.doctype == nil, "a DOCTYPE is left before the root")
            }
        }
        filter.repair(region)
        precondition(
            region.view.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }, "a control character")
        precondition(String(validating: region.view, as: UTF8.self) != nil, "invalid UTF-8")
        let changed = zip(region.view, bytes).contains { $0 != $1 }
        precondition(!changed || !filter.repairs.entries.isEmpty, "a change that was not counted")
        precondition(newlines(region.view) == newlines(bytes), "lines moved")
        let before = region.view.array
        var again = ByteFilter()
        again.repair(region)
        precondition(before.elementsEqual(region.view), "not idempotent")
    }

    private static func newlines(_ bytes: some Sequence<UInt8>) -> Int { bytes.count { $0 == 0x0A } }
}
