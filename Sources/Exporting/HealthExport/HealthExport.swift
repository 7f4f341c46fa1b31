internal import Basics
internal import Foundation
package import Questions
package import Store

/// What is handed from the thread that asks the archive to the one that writes the files of a Health export.
enum MemberMessage {
    /// A file of the export begins, at a path in its folder.
    case begin(String)
    case bytes(ByteBuffer)
    case end
}

/// The thread that writes a Health export; it returns the files in their order.
typealias MemberWriter = WriterThread<MemberMessage, [WrittenMember]>

/// Exports as files that readers of Health exports take.
package enum HealthExport {
    /// The folder in which an export's zip has everything.
    static let folder = "apple_health_export"
    static let mainName = "export.xml"
    /// The manifest in a zip on standard output, which has no file beside it.
    static let manifestName = "manifest.json"

    /// Writes an export and its manifest.
    ///
    /// - Parameter key: the archive's key, for pseudonyms.
    /// - Throws: `HealthProbeError`: `keyUnreadable`, `cannotCreate`, `diskFull`, `inputOutput`, `interrupted`, `integrityFailure`.
    /// - Complexity: one pass over the rows of the archive's chains; memory does not grow with them.
    package static func write(
        _ snapshot: Snapshot, _ question: ExportQuestion, key: ArchiveKey?, options: BagExport.Options
    ) throws -> HealthExportManifest {
        let permission = OutputGuard(archive: try snapshot.archivePath())
        if options.isStream {
            let context = try ExportContext(snapshot, question)
            return try stream(context, key: key, options, to: .standardOutput(permission))
        }
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
            var manifest = try write(producer, to: HashedFile(place.temporary)) { options.progress($0, nil) }
            manifest.fileName = (place.path as NSString).lastPathComponent
            try HashedFile.write(manifest.json.line + "\n", to: manifestPlace.temporary)
            if let signingKey = options.signingKey {
                let signature = try SSHSignature.sign(
                    manifest.json.line + "\n", key: signingKey, isCancelled: options.isCancelled)
                try HashedFile.write(signature, to: signaturePlace.temporary)
            }
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

    /// Writes an export as a zip with its manifest in it.
    private static func stream(
        _ context: ExportContext, key: ArchiveKey?, _ options: BagExport.Options, to file: HashedFile
    ) throws -> HealthExportManifest {
        let producer = try HealthExportProducer(context, key: key, isCancelled: options.isCancelled)
        let zip = try UnsafeZipWriter(file, producer.context.zipTime, .usual)
        let manifest = try producer.run(into: shared(ZippedFolder(folder, zip), context)) { options.progress($0, nil) }
        let text = manifest.json.line + "\n"
        try zip.write(text, as: manifestName)
        if let signingKey = options.signingKey {
            let signature = try SSHSignature.sign(text, key: signingKey, isCancelled: options.isCancelled)
            try zip.write(signature, as: manifestName + SSHSignature.suffix)
        }
        if options.isCancelled() { throw FileFailure.interrupted }
        _ = try zip.finish()
        return manifest
    }

    /// Makes an export without writing it, which tells what it would hold.
    ///
    /// - Throws: as `write` does.
    package static func preview(
        _ snapshot: Snapshot, _ question: ExportQuestion, key: ArchiveKey?,
        isCancelled: @escaping () -> Bool = { false },
        progress: (Int64) -> Void = { _ in }
    ) throws -> HealthExportManifest {
        let context = try ExportContext(snapshot, question)
        return try HealthExportProducer(context, key: key, isCancelled: isCancelled)
            .run(into: shared(ZippedFolder(folder, nil), context), progress)
    }

    /// What writes the files of a copy to share where one is asked for.
    private static func shared(_ sink: any MemberSink, _ context: ExportContext) -> any MemberSink {
        context.question.sharing.map { SharingSink(sink, $0) } ?? sink
    }

    private static func write(
        _ producer: HealthExportProducer, to file: HashedFile, _ progress: (Int64) -> Void
    ) throws -> HealthExportManifest {
        guard producer.context.question.isZip else {
            var manifest = try producer.run(into: shared(SingleFile(file), producer.context), progress)
            manifest.container = manifest.members.first?.file
            return manifest
        }
        let zip = try UnsafeZipWriter(file, producer.context.zipTime, .usual)
        var manifest = try producer.run(into: shared(ZippedFolder(folder, zip), producer.context), progress)
        manifest.container = try zip.finish()
        return manifest
    }

    /// A thread that hands what it gets to a sink.
    static func writer(to sink: any MemberSink) -> MemberWriter {
        MemberWriter { thread in
            var members: [WrittenMember] = []
            while let message = thread.pop() {
                switch message {
                case .begin(let path): try sink.begin(path)
                case .bytes(let buffer): try sink.append(buffer.view)
                case .end: members.append(try sink.end())
                }
            }
            return members
        }
    }
}
