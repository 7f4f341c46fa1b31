package import Archive
internal import Foundation
internal import GRDB
internal import HealthModel
internal import TextFormats

/// One Health export from the question to the finished files.
package enum HealthExportJob {
    /// The folder in which an export's zip has everything.
    static let folder = "apple_health_export/"
    static let mainName = "export.xml"

    /// Writes an export and its manifest.
    ///
    /// - Parameters:
    ///   - key: the archive's key, for pseudonyms.
    ///   - signingKey: a private SSH key that signs the manifest.
    ///   - isCancelled: asked after each piece; true ends the export and leaves nothing.
    ///   - progress: told the number of items written so far.
    /// - Throws: `ArchiveError`: `keyUnreadable`, `cannotCreate`, `diskFull`, `inputOutput`, `interrupted`, `integrityFailure`.
    /// - Complexity: one pass over the rows of the archive's chains; memory does not grow with them.
    package static func run(
        _ reader: ArchiveReader, _ request: HealthExportRequest, key: ArchiveKey?, to output: String, force: Bool,
        signingKey: String? = nil, isCancelled: @escaping () -> Bool, progress: (Int64) -> Void
    ) throws -> HealthExportManifest {
        let permission = try reader.read { try OutputGuard($0) }
        let place = try OutputPlace(output, .healthExport, permission, replaces: force)
        let manifestName = output + FileVerification.suffix
        let manifestPlace = try OutputPlace(manifestName, .manifest, permission, replaces: force)
        let signaturePlace = try OutputPlace(
            manifestName + SSHSignature.suffix, .signature, permission, replaces: force)
        let mask = umask(0o077)
        defer { umask(mask) }
        do {
            var manifest = try reader.read { db in
                let producer = try HealthExportProducer(db, request, key: key, isCancelled: isCancelled)
                return try produce(producer, request, place, progress)
            }
            manifest.fileName = (place.path as NSString).lastPathComponent
            try manifest.write(to: manifestPlace.temporary)
            if let signingKey { try sign(manifestPlace, signaturePlace, signingKey) }
            // An interruption up to here leaves nothing; the manifest comes last, so what has one is whole. An earlier
            // manifest goes first: it would stand beside a file that it does not describe if what follows failed.
            if isCancelled() { throw interrupted }
            try manifestPlace.clear()
            try signaturePlace.clear()
            try place.publish()
            if signingKey != nil { try signaturePlace.publish() }
            try manifestPlace.publish()
            return manifest
        } catch {
            place.discard()
            signaturePlace.discard()
            manifestPlace.discard()
            throw error is CancellationError ? interrupted : error
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
    /// - Throws: as `run` does.
    package static func preview(
        _ reader: ArchiveReader, _ request: HealthExportRequest, key: ArchiveKey?, isCancelled: @escaping () -> Bool,
        progress: (Int64) -> Void
    ) throws -> HealthExportManifest {
        try reader.read { try rerun($0, request, key: key, isCancelled: isCancelled, progress: progress) }
    }

    /// Makes an export without writing it.
    static func rerun(
        _ db: Database, _ request: HealthExportRequest, key: ArchiveKey?, isCancelled: @escaping () -> Bool,
        progress: (Int64) -> Void
    ) throws -> HealthExportManifest {
        let producer = try HealthExportProducer(db, request, key: key, isCancelled: isCancelled)
        let queue = MemberQueue()
        let counted = writerThread(queue) { queue in
            var hash = SHA256()
            var written = WrittenFile()
            while let message = queue.pop() {
                guard case .bytes(let buffer) = message else { continue }
                if !request.isZip { hash.update(buffer.bytes) }
                written.byteCount += Int64(buffer.count)
            }
            written.sha256 = hash.finalize()
            return written
        }
        do {
            let manifest = try producer.run(into: queue, progress)
            queue.finish()
            let file = try counted()
            return manifest.finished(container: nil, xml: request.isZip ? producer.xml : file, isZip: request.isZip)
        } catch {
            queue.cancel()
            _ = try? counted()
            throw error
        }
    }

    static let interrupted = ArchiveError(
        .interrupted, "Interrupted; nothing was left of the export.", hint: "Run the same command again.")

    private static func produce(
        _ producer: HealthExportProducer, _ request: HealthExportRequest, _ place: OutputPlace,
        _ progress: (Int64) -> Void
    ) throws -> HealthExportManifest {
        let queue = MemberQueue()
        let path = place.temporary
        let sink: @Sendable (MemberQueue) throws -> WrittenFile
        if request.isZip {
            let zip = UnsafeZipSink(path: path, members: producer.members, time: producer.time, date: producer.date)
            sink = { queue in
                try zip.run(queue)
                return try WrittenFile(reading: LineReader(path, name: (path as NSString).lastPathComponent))
            }
        } else {
            sink = { try PlainSink(path: path).run($0) }
        }
        let written = writerThread(queue, sink)
        let manifest: HealthExportManifest
        do {
            manifest = try producer.run(into: queue, progress)
            queue.finish()
        } catch {
            queue.cancel()
            _ = try? written()
            // A writer that stopped makes the next push fail; any other error is the producer's own.
            throw error is CancellationError ? queue.failure ?? error : error
        }
        let file = try written()
        return manifest.finished(
            container: file, xml: request.isZip ? producer.xml : file, isZip: request.isZip)
    }

    /// Runs a writer on a thread of its own; the result waits for its end.
    private static func writerThread(
        _ queue: MemberQueue, _ body: @escaping @Sendable (MemberQueue) throws -> WrittenFile
    ) -> () throws -> WrittenFile {
        let result = WriterResult()
        let group = DispatchGroup()
        group.enter()
        let thread = Thread {
            do {
                result.set(.success(try body(queue)))
            } catch {
                result.set(.failure(error))
                queue.cancel(error)
            }
            group.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
        return {
            group.wait()
            return try result.value()
        }
    }
}

/// What the writer's thread leaves behind.
///
/// `@unchecked Sendable`: written once by one thread, read after it has ended, and guarded by the lock all the same.
private final class WriterResult: @unchecked Sendable {
    private let lock = NSLock()
    private var result: Result<WrittenFile, any Error>?

    func set(_ value: Result<WrittenFile, any Error>) { lock.withLock { result = value } }

    func value() throws -> WrittenFile {
        guard let result = lock.withLock({ result }) else { throw CancellationError() }
        return try result.get()
    }
}
