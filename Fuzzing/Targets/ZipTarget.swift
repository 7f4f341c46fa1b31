internal import Basics
internal import ExportReading
internal import Foundation
internal import HealthModel

/// A zip is refused with an error or read, whatever its bytes are.
enum ZipTarget {
    static func run(_ bytes: ByteView) {
        ScratchFile.with(bytes) { path in
            do {
                let container = try ExportContainer(path: path)
                for file in container.sideFiles.prefix(20) {
                    var hash = SideFileHash(kind: file.kind)
                    _ = try? container.read(file) { hash.update($0) }
                    _ = hash.finalize()
                }
                try ExportReader(container).readElectrocardiograms(exportOffset: nil) { _ in }
                _ = try container.peek()
                let document = try ExportReader(container).read { _ in }
                precondition(!document.isComplete || document.xmlByteCount == container.mainByteCount)
            } catch {
                precondition(error is HealthProbeError, "\(error)")
            }
        }
    }
}
