internal import Basics
internal import Clibzip

/// Opens the members of one zip, one thread at a time.
///
/// `@safe`: libzip's handles live as long as the objects that hold them.
@safe
final class UnsafeZipFile {
    private let path: String
    /// For members that are compressed in another way than Apple does; opened when one is first asked for.
    private var handle: OpaquePointer?

    init(path: String) { self.path = path }

    deinit { if let handle = unsafe handle { unsafe zip_discard(handle) } }

    /// The version of libzip that is in use.
    static var libraryVersion: String { unsafe String(cString: zip_libzip_version()) }

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
        if unsafe handle == nil { unsafe handle = zip_open(path, ZIP_RDONLY, nil) }
        guard let handle = unsafe handle else { throw DamagedSource(reason: "zipMember:Not a zip archive") }
        guard let file = unsafe zip_fopen_index(handle, zip_uint64_t(index), 0) else {
            throw unsafe DamagedSource(
                reason: "zipMember:\(String(cString: zip_strerror(handle)))",
                isReadError: Self.isReadError(zip_error_code_zip(zip_get_error(handle))))
        }
        return unsafe LibzipMember(zip: self, file: file, byteCount: member.byteCount)
    }

    /// Whether an error of libzip is the system's, and says nothing of what is in the zip.
    private static func isReadError(_ code: Int32) -> Bool {
        [ZIP_ER_OPEN, ZIP_ER_READ, ZIP_ER_SEEK].contains(code)
    }

    /// A member that libzip unpacks; the stream keeps the zip open.
    @safe
    private final class LibzipMember: ByteSource {
        let expectedByteCount: Int64?
        private let zip: UnsafeZipFile
        private let file: OpaquePointer

        init(zip: UnsafeZipFile, file: OpaquePointer, byteCount: Int64?) {
            self.zip = zip
            unsafe self.file = file
            expectedByteCount = byteCount
        }

        deinit { unsafe zip_fclose(file) }

        func read(into buffer: ByteBuffer, upTo limit: Int) throws -> Int {
            try unsafe buffer.append(upTo: limit) { room in
                let got = unsafe zip_fread(file, room.baseAddress, zip_uint64_t(room.count))
                guard got >= 0 else {
                    let code = unsafe zip_error_code_zip(zip_file_get_error(file))
                    throw DamagedSource(
                        reason: code == ZIP_ER_CRC ? "crcMismatch" : "zip:\(code)",
                        isReadError: isReadError(code))
                }
                return Int(got)
            }
        }
    }
}
