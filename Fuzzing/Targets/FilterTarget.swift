internal import ExportReading
internal import Foundation

/// The filter's output is well-formed UTF-8 without forbidden control characters, as long as its input, with every
/// change counted; filtering it again changes nothing.
enum FilterTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count + 1)
        defer { buffer.deallocate() }
        _ = buffer.update(from: bytes)
        let region = UnsafeMutableBufferPointer(rebasing: buffer[..<bytes.count])
        var filter = ByteFilter()
        if let prolog = ByteFilter.prolog(region) {
            precondition(prolog.root < region.count)
            if let doctype = prolog.doctype {
                precondition(doctype < prolog.root)
                filter.blankDoctype(region, from: doctype, root: prolog.root)
                precondition(ByteFilter.prolog(region)?.doctype == nil, "a DOCTYPE is left before the root")
            }
        }
        filter.repair(region)
        precondition(region.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }, "a control character")
        precondition(String(validating: region, as: UTF8.self) != nil, "invalid UTF-8")
        let changed = zip(region, bytes).contains { $0 != $1 }
        precondition(!changed || !filter.repairs.entries.isEmpty, "a change that was not counted")
        precondition(newlines(region) == newlines(bytes.bindMemory(to: UInt8.self)), "lines moved")
        let before = Array(region)
        var again = ByteFilter()
        again.repair(region)
        precondition(before.elementsEqual(region), "not idempotent")
    }

    private static func newlines(_ bytes: some Sequence<UInt8>) -> Int { bytes.count { $0 == 0x0A } }
}
