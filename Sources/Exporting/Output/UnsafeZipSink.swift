internal import Clibzip
internal import Foundation
internal import HealthModel
internal import TextFormats

/// Writes a zip through libzip, which asks for each member's bytes in turn, so nothing is collected.
///
/// Time stamps are given, not taken, and no other field depends on machine or moment: equal members give equal bytes.
struct UnsafeZipSink {
    /// A member by its full name; its length where it is known before.
    struct Member {
        var name: String
        var byteCount: Int64?
    }

    let path: String
    let members: [Member]
    /// MS-DOS time and date.
    let time: UInt16
    let date: UInt16

    /// Takes all messages, whose members come in the order of `members`.
    ///
    /// - Throws: `cannotCreate`, `diskFull`, `inputOutput`; `CancellationError` where the export was called off.
    func run(_ writer: MemberWriter) throws {
        var code: Int32 = 0
        guard let zip = unsafe zip_open(path, ZIP_CREATE | ZIP_EXCL, &code) else { throw FileFailure.error(errno) }
        for member in members {
            // libzip calls back with this object until it frees the source.
            let owner = unsafe Unmanaged.passRetained(UnsafeZipFeed(writer, byteCount: member.byteCount)).toOpaque()
            guard let source = unsafe zip_source_function(zip, UnsafeZipFeed.callback, owner) else {
                unsafe Unmanaged<UnsafeZipFeed>.fromOpaque(owner).release()
                throw unsafe discard(zip)
            }
            let index = unsafe zip_file_add(zip, member.name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
            guard index >= 0 else {
                unsafe zip_source_free(source)
                throw unsafe discard(zip)
            }
            unsafe zip_set_file_compression(zip, zip_uint64_t(index), ZIP_CM_DEFLATE, 6)
            unsafe zip_file_set_dostime(zip, zip_uint64_t(index), time, date, 0)
            unsafe zip_file_set_external_attributes(
                zip, zip_uint64_t(index), 0, zip_uint8_t(ZIP_OPSYS_UNIX), zip_uint32_t(0o100600) << 16)
        }
        guard unsafe zip_close(zip) == 0 else { throw unsafe discard(zip) }
    }

    private func discard(_ zip: OpaquePointer) -> any Error {
        let error = unsafe zip_get_error(zip)
        let (kind, system) = unsafe (zip_error_code_zip(error), zip_error_code_system(error))
        let isSystem = unsafe zip_error_system_type(error) == ZIP_ET_SYS
        unsafe zip_discard(zip)
        if kind == ZIP_ER_CANCELLED { return CancellationError() }
        return FileFailure.error(isSystem ? system : EIO)
    }
}

/// One member's bytes, as libzip asks for them.
final class UnsafeZipFeed {
    private let writer: MemberWriter
    private let byteCount: Int64?
    private var current: ByteBuffer?
    private var position = 0
    private var ended = false

    init(_ writer: MemberWriter, byteCount: Int64?) {
        self.writer = writer
        self.byteCount = byteCount
    }

    static let callback: zip_source_callback = { owner, data, length, command in
        guard let owner = unsafe owner else { return -1 }
        if command == ZIP_SOURCE_FREE {
            unsafe Unmanaged<UnsafeZipFeed>.fromOpaque(owner).release()
            return 0
        }
        return unsafe Unmanaged<UnsafeZipFeed>.fromOpaque(owner)._withUnsafeGuaranteedRef {
            unsafe $0.answer(command, data, length)
        }
    }

    private func answer(_ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        switch command {
        case ZIP_SOURCE_OPEN:
            guard case .begin = writer.pop() else { return -1 }
            return 0
        case ZIP_SOURCE_READ: return unsafe data.map { unsafe read(into: $0, Int(clamping: length)) } ?? -1
        case ZIP_SOURCE_CLOSE: return 0
        case ZIP_SOURCE_STAT:
            guard let data = unsafe data else { return -1 }
            let info = unsafe data.assumingMemoryBound(to: zip_stat_t.self)
            unsafe zip_stat_init(info)
            if let byteCount {
                unsafe info.pointee.size = zip_uint64_t(byteCount)
                unsafe info.pointee.valid |= zip_uint64_t(ZIP_STAT_SIZE)
            }
            return unsafe Int64(MemoryLayout<zip_stat_t>.size)
        case ZIP_SOURCE_ERROR:
            // A member that cannot be had is an export called off.
            guard let data = unsafe data, length >= 2 * UInt64(MemoryLayout<Int32>.size) else { return -1 }
            let codes = unsafe data.assumingMemoryBound(to: Int32.self)
            unsafe codes[0] = ZIP_ER_CANCELLED
            unsafe codes[1] = 0
            return Int64(2 * MemoryLayout<Int32>.size)
        case ZIP_SOURCE_SUPPORTS:
            return [
                ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
            ]
            .reduce(0) { $0 | 1 << Int64($1.rawValue) }
        default: return -1
        }
    }

    private func read(into data: UnsafeMutableRawPointer, _ length: Int) -> Int64 {
        var filled = 0
        while filled < length, !ended {
            if let buffer = current, position < buffer.count {
                let part = min(length - filled, buffer.count - position)
                unsafe data.advanced(by: filled).copyMemory(from: buffer.view[position...].start, byteCount: part)
                filled += part
                position += part
                continue
            }
            switch writer.pop() {
            case .bytes(let buffer):
                current = buffer
                position = 0
            case .end: ended = true
            case .begin, nil: return -1
            }
        }
        return Int64(filled)
    }
}
