/// What a sound export says of itself.
package struct VerificationReport: Sendable {
    package var kind: String
    package var exportID: String
    package var createdAt: String
    package var recordCount: Int64
    package var manifestHash: String
    package var provenance: String
    /// Payload files and their bytes.
    package var fileCount: Int
    package var byteCount: Int64
    /// `none`, `unknownSigner`, or the name of the signer.
    package var signature: String
}
