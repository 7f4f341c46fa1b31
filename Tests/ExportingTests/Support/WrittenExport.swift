internal import ArchiveTestSupport
internal import Exporting
internal import Foundation
internal import HealthModel
@testable internal import Questions
internal import Store

/// A Health export that a test wrote, with its manifest.
struct WrittenExport {
    let path: String
    let manifest: HealthExportManifest

    /// The written file, if it is text.
    func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The manifest beside the file.
    func manifestText() throws -> String { try String(contentsOfFile: path + ".manifest.json", encoding: .utf8) }
}

extension TestArchive {
    /// The question for the newest observation's state.
    func healthQuestion(_ change: (inout ExportQuestion) -> Void = { _ in }) throws -> ExportQuestion {
        try read { db in
            let latest = try Snapshot(db, chain: "default").observation("latest")
            var question = ExportQuestion(kind: .health, chain: "default", to: latest.id)
            change(&question)
            return question
        }
    }

    /// Writes a Health export under the archive's key, or another.
    func write(
        _ name: String, key: ArchiveKey?, signingKey: String? = nil, force: Bool = false,
        _ change: (inout ExportQuestion) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false }
    ) throws -> WrittenExport {
        var options = BagExport.Options(output: "\(folder)/\(name)")
        options.force = force
        options.signingKey = signingKey
        options.isCancelled = isCancelled
        let question = try healthQuestion(change)
        let manifest = try read {
            try HealthExport.write(Snapshot($0, chain: "default"), question, key: key, options: options)
        }
        return WrittenExport(path: options.output, manifest: manifest)
    }

    /// What a Health export would hold.
    func preview(_ change: (inout ExportQuestion) -> Void = { _ in }) throws -> HealthExportManifest {
        let question = try healthQuestion(change)
        return try read { try HealthExport.preview(Snapshot($0, chain: "default"), question, key: nil) }
    }

    /// The identities of an observation's visible samples by type, hexadecimal.
    func identities(of observation: Int64) throws -> [String: [String]] {
        try read { db in
            let chain = try ObservationResolver.chain(db, name: "default")
            let target = try ObservationResolver.resolve("\(observation)", in: chain)
            let listing = try RecordListing(db, .visible(chain, at: target))
            var found: [String: [String]] = [:]
            for type in try SampleTypeNames.sorted(db) {
                try listing.forEach(type: type.id) { found[type.identifier, default: []].append($0.identity.hex) }
            }
            return found
        }
    }
}
