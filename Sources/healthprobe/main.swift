internal import Archive
internal import ExportReading
internal import Foundation
internal import Importing
let writer = try ArchiveWriter(path: CommandLine.arguments[1], secretFile: nil, environment: ["XDG_DATA_HOME": "/tmp/xdg"])
for c in try ImportJob.sorted(Array(CommandLine.arguments.dropFirst(2))) {
    let t0 = Date()
    let o = try ImportJob.run(c, options: ImportOptions(), writer: writer, isCancelled: { false }, progress: { _ in })
    print(o, -t0.timeIntervalSinceNow)
}
writer.close()
