internal import Archive
internal import Exporting
internal import Foundation
internal import HealthModel

/// A Health export that a test wrote, with its manifest.
struct WrittenExport {
    let path: String
    let manifest: HealthExportManifest

    /// The written file, if it is text.
    func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The manifest beside the file.
    func manifestText() throws -> String { try String(contentsOfFile: path + ".manifest.json", encoding: .utf8) }
}

extension ExportArchive {
    /// The request for the newest observation's state.
    func request(_ change: (inout HealthExportRequest) -> Void = { _ in }) throws -> HealthExportRequest {
        try read { db in
            let chain = try ObservationResolver.chain(db, name: "default")
            let observation = try ObservationResolver.resolve("latest", in: chain)
            var request = HealthExportRequest(chain: chain, observation: observation, question: .visible)
            change(&request)
            return request
        }
    }

    /// Writes a Health export under the archive's key, or another.
    func write(
        _ name: String, key: ArchiveKey?, signingKey: String? = nil, force: Bool = false,
        _ change: (inout HealthExportRequest) -> Void = { _ in }
    ) throws -> WrittenExport {
        let reader = try ArchiveReader(path: path)
        defer { reader.close() }
        let output = "\(folder)/\(name)"
        let manifest = try HealthExportJob.run(
            reader, request(change), key: key, to: output, force: force, signingKey: signingKey, isCancelled: { false },
            progress: { _ in })
        return WrittenExport(path: output, manifest: manifest)
    }

    /// The identities of an observation's visible samples by type, hexadecimal.
    func identities(of observation: Int64) throws -> [String: [String]] {
        try read { db in
            let chain = try ObservationResolver.chain(db, name: "default")
            let target = try ObservationResolver.resolve("\(observation)", in: chain)
            let listing = try RecordListing(db, .visible(chain, at: target), isWhole: true)
            var found: [String: [String]] = [:]
            for type in try RecordListing.types(db) {
                try listing.forEach(type: type.id) { found[type.identifier, default: []].append($0.identity.hex) }
            }
            return found
        }
    }
}
