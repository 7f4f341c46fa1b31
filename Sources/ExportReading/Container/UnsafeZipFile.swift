internal import Clibzip

/// Opens the members of one zip, one thread at a time.
final class UnsafeZipFile {
    private let path: String
    /// For members that are compressed in another way than Apple does; opened when one is first asked for.
    private var handle: OpaquePointer?

    init(path: String) { self.path = path }

    deinit { if let handle { zip_discard(handle) } }

    /// Whether a member can be unpacked.
    static func isReadable(_ member: ZipMember) -> Bool {
        switch member.method {
        case .stored: member.packedByteCount != nil
        case .deflated: true
        default: member.index != nil && zip_compression_method_supported(zip_int32_t(member.method.rawValue), 0) == 1
        }
    }

    /// A stream of one member.
    ///
    /// - Throws: `DamagedSource`, `HealthProbeError` where the zip cannot be opened.
    func open(_ member: ZipMember) throws -> any ByteSource {
        guard ![.stored, .deflated].contains(member.method), let index = member.index else {
            return try UnsafeZipMember(path: path, member)
        }
        if handle == nil { handle = zip_open(path, ZIP_RDONLY, nil) }
        guard let handle, let file = zip_fopen_index(handle, zip_uint64_t(index), 0) else {
            throw DamagedSource(
                reason: "zipMember:\(handle.map { String(cString: zip_strerror($0)) } ?? "Not a zip archive")")
        }
        return LibzipMember(zip: self, file: file, byteCount: member.byteCount)
    }

    /// A member that libzip unpacks; the stream keeps the zip open.
    private final class LibzipMember: ByteSource {
        let expectedByteCount: Int64?
        private let zip: UnsafeZipFile
        private let file: OpaquePointer

        init(zip: UnsafeZipFile, file: OpaquePointer, byteCount: Int64?) {
            self.zip = zip
            self.file = file
            expectedByteCount = byteCount
        }

        deinit { zip_fclose(file) }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let got = zip_fread(file, buffer.baseAddress, zip_uint64_t(buffer.count))
            guard got >= 0 else {
                let code = zip_error_code_zip(zip_file_get_error(file))
                throw DamagedSource(
                    reason: code == ZIP_ER_CRC ? "crcMismatch" : "zip:\(code)",
                    isReadError: [ZIP_ER_OPEN, ZIP_ER_READ, ZIP_ER_SEEK].contains(code))
            }
            return Int(got)
        }
    }
}
