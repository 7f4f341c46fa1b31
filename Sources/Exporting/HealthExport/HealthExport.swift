package import ArchiveFile
package import ArchiveReading
internal import Foundation
internal import HealthModel
internal import Presentation
internal import SystemCalls
internal import TextFormats

/// What is handed from the thread that asks the archive to the one that writes the files of a Health export.
enum MemberMessage {
    /// A file of the export begins.
    case begin
    case bytes(ByteBuffer)
    case end
}

typealias MemberWriter = WriterThread<MemberMessage, WrittenFile>

/// Exports as files that readers of Health exports take.
package enum HealthExport {
    /// The folder in which an export's zip has everything.
    static let folder = "apple_health_export/"
    static let mainName = "export.xml"

    /// Writes an export and its manifest.
    ///
    /// - Parameter key: the archive's key, for pseudonyms.
    /// - Throws: `HealthProbeError`: `keyUnreadable`, `cannotCreate`, `diskFull`, `inputOutput`, `interrupted`, `integrityFailure`.
    /// - Complexity: one pass over the rows of the archive's chains; memory does not grow with them.
    package static func write(
        _ snapshot: Snapshot, _ question: ExportQuestion, key: ArchiveKey?, options: BagExport.Options
    ) throws -> HealthExportManifest {
        let permission = OutputGuard(archive: try snapshot.archivePath())
        let place = try OutputPlace(options.output, .healthExport, permission, replaces: options.force)
        let manifestName = options.output + FileVerification.suffix
        let manifestPlace = try OutputPlace(manifestName, .manifest, permission, replaces: options.force)
        let signaturePlace = try OutputPlace(
            manifestName + SSHSignature.suffix, .signature, permission, replaces: options.force)
        let mask = umask(0o077)
        defer { umask(mask) }
        do {
            let context = try ExportContext(snapshot, question)
            let producer = try HealthExportProducer(context, key: key, isCancelled: options.isCancelled)
            var manifest = try write(producer, to: place.temporary) { options.progress($0, nil) }
            manifest.fileName = (place.path as NSString).lastPathComponent
            try HashedFile.write(manifest.json.line + "\n", to: manifestPlace.temporary)
            if let signingKey = options.signingKey { try sign(manifestPlace, signaturePlace, signingKey) }
            // An interruption up to here leaves nothing; the manifest comes last, so what has one is whole. An earlier
            // manifest goes first: it would be beside a file that it does not describe if what follows failed.
            if options.isCancelled() { throw FileFailure.interrupted }
            try manifestPlace.clear()
            try signaturePlace.clear()
            try place.publish()
            if options.signingKey != nil { try signaturePlace.publish() }
            try manifestPlace.publish()
            return manifest
        } catch {
            place.discard()
            signaturePlace.discard()
            manifestPlace.discard()
            throw error is CancellationError ? FileFailure.interrupted : error
        }
    }

    /// Signs a manifest under its temporary name.
    private static func sign(_ manifest: OutputPlace, _ signature: OutputPlace, _ key: String) throws {
        let made = manifest.temporary + SSHSignature.suffix
        unlink(made)
        defer { unlink(made) }
        try SSHSignature.sign(manifest.temporary, key: key)
        guard rename(made, signature.temporary) == 0 else { throw FileFailure.error(errno) }
    }

    /// Counts what an export would hold, without writing anything.
    ///
    /// - Throws: as `write` does.
    package static func preview(
        _ snapshot: Snapshot, _ question: ExportQuestion, key: ArchiveKey?,
        isCancelled: @escaping () -> Bool = { false },
        progress: (Int64) -> Void = { _ in }
    ) throws -> HealthExportManifest {
        try rerun(ExportContext(snapshot, question), key: key, isCancelled: isCancelled, progress: progress)
    }

    /// Makes an export without writing it.
    static func rerun(
        _ context: ExportContext, key: ArchiveKey?, isCancelled: @escaping () -> Bool = { false },
        progress: (Int64) -> Void = { _ in }
    ) throws -> HealthExportManifest {
        let producer = try HealthExportProducer(context, key: key, isCancelled: isCancelled)
        let isZip = context.question.isZip
        let counter = MemberWriter { thread in
            var hash = SHA256()
            var written = WrittenFile()
            while let message = thread.pop() {
                guard case .bytes(let buffer) = message else { continue }
                if !isZip { hash.update(buffer.view) }
                written.byteCount += Int64(buffer.count)
            }
            written.sha256 = hash.finalize()
            return written
        }
        let (manifest, file) = try producer.run(into: counter, progress)
        return manifest.finished(container: nil, xml: isZip ? producer.xml : file)
    }

    private static func write(
        _ producer: HealthExportProducer, to path: String, _ progress: (Int64) -> Void
    ) throws -> HealthExportManifest {
        let isZip = producer.context.question.isZip
        let writer: MemberWriter
        if isZip {
            let zip = UnsafeZipSink(path: path, members: producer.members, time: producer.time, date: producer.date)
            writer = MemberWriter { thread in
                try zip.run(thread)
                return try WrittenFile(reading: LineReader(path, name: (path as NSString).lastPathComponent))
            }
        } else {
            writer = MemberWriter { thread in
                let file = try HashedFile(path)
                while let message = thread.pop() {
                    if case .bytes(let buffer) = message { try file.write(buffer.view) }
                }
                return try file.close()
            }
        }
        let (manifest, file) = try producer.run(into: writer, progress)
        return manifest.finished(container: file, xml: isZip ? producer.xml : file)
    }
}
