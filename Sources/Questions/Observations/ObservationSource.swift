internal import HealthModel
package import Store

/// An observation with what is needed to read its kept source as its import read it.
package struct ObservationSource: Sendable {
    package var observation: Observation
    package var kept: KeptSource
    /// The side files that it had, from its container or from an earlier import of the same XML.
    package var files: [StoredSideFiles.File]

    /// The observations of all chains whose sources are kept, in chain order.
    package static func kept(_ reader: ArchiveReader) throws -> [ObservationSource] {
        try reader.read { db in
            var found: [ObservationSource] = []
            for name in try Chain.names(db) {
                for observation in try Chain.read(db, name: name)?.finished ?? [] {
                    guard let kept = try KeptSource.read(db, observation: observation.id), kept.name != nil else {
                        continue
                    }
                    found.append(
                        ObservationSource(
                            observation: observation, kept: kept,
                            files: try StoredSideFiles.files(db, of: observation.id)))
                }
            }
            return found
        }
    }

    /// The bytes of one of its files; nil where they are damaged.
    package func bytes(of file: StoredSideFiles.File, _ reader: ArchiveReader) throws -> [UInt8]? {
        do {
            return try reader.read { try StoredSideFiles.bytes($0, of: file.id) }
        } catch let error as HealthProbeError where error.code == .integrityFailure {
            return nil
        }
    }
}
