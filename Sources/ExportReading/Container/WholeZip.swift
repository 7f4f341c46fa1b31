internal import Basics
internal import Foundation
internal import HealthModel

/// The files of a zip with a directory, by name; none is unpacked before it is asked for.
package final class WholeZip {
    /// The names, in the order of the directory.
    package private(set) var names: [String] = []
    private var members: [String: ZipMember] = [:]
    private let path: String
    private let zip: UnsafeZipFile

    /// Why a zip is not read, in a sentence without its subject.
    package struct Refusal: Error {
        package var reason: String
    }

    /// Reads the directory.
    ///
    /// - Throws: `Refusal` where there is none, as in a zip that was cut off, where anything follows it or its end record,
    ///   where members overlap, leave anything between them, share a name, are encrypted, are neither stored nor deflated, or
    ///   where they would unpack to more than ``OtherMemberHashing/mostUnpacking`` times the zip; `inputOutput`.
    package init(_ path: String) throws {
        self.path = path
        zip = UnsafeZipFile(path: path)
        do {
            let bytes = try ZipBytes(path: path)
            guard let directory = try ZipDirectory(bytes) else {
                throw Refusal(reason: "the zip has no end record, as if it was cut off")
            }
            guard directory.reachesEnd else { throw Refusal(reason: "the zip has something before its end record") }
            // What follows an end record, or its comment, is in no file.
            try bytes.seek(to: bytes.byteCount - 22)
            guard let end = try bytes.take(22), end.word(0) == 0x0605_4B50, end.short(20) == 0 else {
                throw Refusal(reason: "the zip has something behind its end record")
            }
            var left = max(bytes.byteCount, 1 << 16) * OtherMemberHashing.mostUnpacking
            let extents = try directory.forEach { entry in
                guard !entry.isEncrypted, [.stored, .deflated].contains(entry.member.method) else {
                    throw Refusal(reason: "the zip is encrypted, or compressed in a way that is not supported")
                }
                left -= entry.member.byteCount ?? 0
                guard left >= 0 else { throw Refusal(reason: "the zip unpacks to far more than any export") }
                guard members.updateValue(entry.member, forKey: entry.name) == nil else {
                    throw Refusal(reason: "the zip has a name twice")
                }
                names.append(entry.name)
            }
            try Self.requireNothingBetween(extents, before: directory.offset, bytes)
        } catch let damage as DamagedSource {
            throw damage.inputOutput
        } catch let error as HealthProbeError where error.code == .notAHealthExport {
            throw Refusal(reason: "the zip's directory contradicts the file")
        }
    }

    /// Tests that every byte before the directory belongs to a member that it lists: a program that reads a zip from its
    /// beginning would unpack what is in between.
    private static func requireNothingBetween(
        _ extents: [ZipMember.Extent], before directory: Int64, _ bytes: ZipBytes
    ) throws {
        var place: Int64 = 0
        for (number, extent) in extents.enumerated() {
            guard extent.headerOffset == place else {
                throw Refusal(reason: "the zip has something before \(number == 0 ? "its first file" : "a file")")
            }
            try bytes.seek(to: place)
            guard let head = try bytes.take(Int(ZipMember.Extent.localHeaderBytes)) else {
                throw Refusal(reason: "the zip's directory contradicts the file")
            }
            place += ZipMember.Extent.localHeaderBytes + Int64(head.short(26) + head.short(28)) + extent.packedByteCount
            let next = number + 1 < extents.count ? extents[number + 1].headerOffset : directory
            // With or without a signature, and with lengths of four or eight bytes.
            if extent.hasDescriptor, [12, 16, 20, 24].contains(next - place) { place = next }
        }
        guard place == directory else { throw Refusal(reason: "the zip has something before its directory") }
    }

    /// A stream of a file, nil where there is none of that name; it has no more bytes than the directory states.
    ///
    /// - Throws: `Refusal` where the file is damaged; `inputOutput`.
    package func open(_ name: String) throws -> (any ByteSource)? {
        guard let member = members[name] else { return nil }
        return try Self.refusing {
            try requireName(name, of: member)
            return BoundedSource(try zip.open(member), byteCount: member.byteCount ?? 0)
        }
    }

    /// Tests that a member's own header has the name that the directory has: some programs unpack by the one, some by the
    /// other.
    private func requireName(_ name: String, of member: ZipMember) throws {
        let bytes = try ZipBytes(path: path, at: member.headerOffset, bufferBytes: 1 << 10)
        // What is no header is found when it is opened.
        guard let head = try bytes.take(30), head.word(0) == 0x0403_4B50 else { return }
        let local = try bytes.take(head.short(26)).map { ZipMember.Entry(name: $0.bytes[...], flags: 0, member).name }
        guard let local, local.hasBytes(of: name) else { throw Refusal(reason: "has another name in its own header") }
    }

    /// Runs a reading whose damage is the zip's.
    private static func refusing<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let damage as DamagedSource {
            throw damage.isReadError ? damage.inputOutput : Refusal(reason: "is damaged in the zip (\(damage.reason))")
        }
    }

    /// A member, which may not unpack to more than the directory states.
    private final class BoundedSource: ByteSource {
        let expectedByteCount: Int64?
        private let source: any ByteSource
        private var left: Int64

        init(_ source: any ByteSource, byteCount: Int64) {
            self.source = source
            expectedByteCount = byteCount
            left = byteCount
        }

        func read(into buffer: ByteBuffer, upTo limit: Int) throws -> Int {
            let got = try WholeZip.refusing { try source.read(into: buffer, upTo: limit) }
            left -= Int64(got)
            guard left >= 0 else { throw Refusal(reason: "is longer than the zip states") }
            return got
        }
    }
}
