import ExportReading
import HealthModel
import Foundation
let c = try ExportContainer(path: CommandLine.arguments[1])
var n = 0
var d = StateDigest()
let t0 = Date()
let doc = try ExportReader(c).read { page in n += page.items.count; for i in page.items { d.add(i.identity, i.version) } }
print(n, doc.isComplete, doc.header.stop as Any, doc.header.locale as Any, doc.xmlByteCount, doc.repairs.entries, doc.unknown.counts, d.hex, -t0.timeIntervalSinceNow)
