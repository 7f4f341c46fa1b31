internal import Clibzip
internal import Foundation

/// A zip read through its central directory by libzip, one thread at a time.
final class UnsafeZipFile {
    struct Member {
        var index: UInt64
        /// The name as UTF-8 where it is valid UTF-8, whatever the flag says; else as libzip guesses it.
        var name: String
        var byteCount: Int64
        var isEncrypted: Bool
        /// Whether libzip can unpack how it is compressed.
        var isReadable: Bool
    }

    private let handle: OpaquePointer

    init(path: String) throws {
        var code: Int32 = 0
        guard let opened = zip_open(path, ZIP_RDONLY, &code) else {
            var error = zip_error_t()
            zip_error_init_with_code(&error, code)
            let text = String(cString: zip_error_strerror(&error))
            zip_error_fini(&error)
            if Self.isReadError(code) { throw DamagedSource(reason: text, isReadError: true).inputOutput }
            throw ExportReadingError(
                .notAHealthExport, "The zip archive cannot be read: \(text).",
                hint: "If it was cut off while copying, copy it again; an unpacked folder or bare XML can be read too.")
        }
        handle = opened
    }

    deinit { zip_discard(handle) }

    /// Whether a code of libzip means that the system failed, not that the zip is damaged.
    static func isReadError(_ code: Int32) -> Bool { [ZIP_ER_OPEN, ZIP_ER_READ, ZIP_ER_SEEK].contains(code) }

    /// The members that are files, in the order of the central directory; one pass over all of it.
    func members() -> [Member] {
        let count = max(zip_get_num_entries(handle, 0), 0)
        return (0..<UInt64(count)).compactMap { index in
            var info = zip_stat_t()
            guard zip_stat_index(handle, index, 0, &info) == 0,
                let raw = zip_get_name(handle, index, zip_flags_t(ZIP_FL_ENC_RAW))
            else { return nil }
            let name =
                String(validatingCString: raw)
                ?? zip_get_name(handle, index, zip_flags_t(ZIP_FL_ENC_GUESS)).map { String(cString: $0) } ?? "?"
            guard !name.hasSuffix("/") else { return nil }
            return Member(
                index: index, name: name, byteCount: Int64(clamping: info.size),
                isEncrypted: Int32(info.encryption_method) != ZIP_EM_NONE,
                isReadable: zip_compression_method_supported(zip_int32_t(info.comp_method), 0) == 1)
        }
    }

    /// A stream of one member; the stream keeps the zip open.
    ///
    /// - Parameter byteCount: the length that the listing of the members gave.
    /// - Throws: `DamagedSource`.
    func open(_ index: UInt64, byteCount: Int64) throws -> any ByteSource {
        guard let file = zip_fopen_index(handle, index, 0) else {
            let isReadError = Self.isReadError(zip_error_code_zip(zip_get_error(handle)))
            throw DamagedSource(reason: "zipMember:\(String(cString: zip_strerror(handle)))", isReadError: isReadError)
        }
        return UnsafeZipMember(zip: self, file: file, byteCount: byteCount)
    }
}

/// One member as a stream; libzip checks length and CRC-32 at its end and delivers everything before a damaged place.
final class UnsafeZipMember: ByteSource {
    private let zip: UnsafeZipFile
    private let file: OpaquePointer
    let expectedByteCount: Int64?

    init(zip: UnsafeZipFile, file: OpaquePointer, byteCount: Int64) {
        self.zip = zip
        self.file = file
        expectedByteCount = byteCount
    }

    deinit { zip_fclose(file) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let got = zip_fread(file, buffer.baseAddress, zip_uint64_t(buffer.count))
        guard got >= 0 else {
            let error = zip_file_get_error(file)
            let code = zip_error_code_zip(error)
            throw DamagedSource(
                reason: code == ZIP_ER_CRC ? "crcMismatch" : "zip:\(code)",
                isReadError: UnsafeZipFile.isReadError(code))
        }
        return Int(got)
    }
}
