internal import Basics
internal import Foundation
internal import HealthModel
internal import History
internal import Questions
internal import Store
internal import Synchronization

/// The differences between two observations in their order, by the ids of their rows, so that a page of them costs the same
/// wherever it is in the list.
///
/// They lie in a file without a name, which ends with the process; it has ids and no health data.
final class ChangeList: Sendable {
    let total: Int
    private let file: Int32
    /// The place in the file belongs to one reader at a time.
    private let reading = Mutex(())
    /// Where every so many changes begin in the file.
    private let offsets: [Int64]

    private static let step = 128
    private static let columns = UInt8(ascii: "\t")

    /// - Throws: `inputOutput` where there is no room for the file.
    fileprivate init(besideArchive path: String, _ fill: ((DiffChange) throws -> Void) throws -> Void) throws {
        let folder = TemporaryFolder.ofThisProcess(besideArchive: path)
        let name = "\(Folders.makePrivate(folder) ? folder : NSTemporaryDirectory())/changes-\(Sessions.makeSecret())"
        let file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw WebError(.inputOutput) }
        unlink(name)
        self.file = file
        var (offsets, waiting, size, total): ([Int64], [UInt8], Int64, Int) = ([], [], 0, 0)
        func flush() throws {
            guard waiting.withByteView({ writeAll($0, to: file) }) else { throw WebError(.inputOutput) }
            waiting.removeAll(keepingCapacity: true)
        }
        do {
            try fill { change in
                if total % Self.step == 0 { offsets.append(size) }
                let line = Array(Self.line(change).utf8)
                waiting += line
                size += Int64(line.count)
                total += 1
                if waiting.count > 1 << 16 { try flush() }
            }
            try flush()
        } catch {
            close(file)
            throw error
        }
        (self.total, self.offsets) = (total, offsets)
    }

    deinit { close(file) }

    /// A part of the list.
    ///
    /// - Parameter first: how many come before.
    /// - Throws: `inputOutput` for a list that cannot be read.
    func changes(from first: Int, _ limit: Int) throws -> [DiffChange] {
        guard first < total else { return [] }
        let skipped = first % Self.step
        var (position, rest, changes): (Int64, [UInt8], [DiffChange]) = (offsets[first / Self.step], [], [])
        var passed = 0
        let wanted = min(limit, total - first)
        while changes.count < wanted {
            let piece = try piece(at: position)
            guard !piece.isEmpty else { throw WebError(.inputOutput) }
            position += Int64(piece.count)
            rest += piece
            var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(lines.removeLast())
            for line in lines where changes.count < wanted {
                if passed >= skipped { changes.append(try Self.change(line)) }
                passed += 1
            }
        }
        return changes
    }

    private func piece(at position: Int64) throws -> Data {
        try reading.withLock { _ in
            guard lseek(file, off_t(position), SEEK_SET) >= 0 else { throw WebError(.inputOutput) }
            return try FileHandle(fileDescriptor: file, closeOnDealloc: false).read(upToCount: 1 << 16) ?? Data()
        }
    }

    private static func line(_ change: DiffChange) -> String {
        switch change {
        case .appeared(let id): "a\t\(id)\n"
        case .disappeared(let id): "d\t\(id)\n"
        case .representationChanged(let rule, let steps, let before, let after):
            "c\t\(before)\t\(after)\t\(rule.name)"
                + steps.map { "\t\($0.from) \($0.to) \($0.rule.name)" }.joined() + "\n"
        }
    }

    private static func change(_ line: ArraySlice<UInt8>) throws -> DiffChange {
        let parts = line.split(separator: columns).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count > 1, let id = Int64(parts[1]) else { throw WebError(.inputOutput) }
        if parts[0] == "a" { return .appeared(rowID: id) }
        if parts[0] == "d" { return .disappeared(rowID: id) }
        guard parts.count > 3, let after = Int64(parts[2]), let rule = MatchRule(name: parts[3]) else {
            throw WebError(.inputOutput)
        }
        let steps = parts.dropFirst(4).compactMap { text -> LinkStep? in
            let words = text.split(separator: " ")
            guard words.count == 3, let from = Int64(words[0]), let to = Int64(words[1]),
                let rule = MatchRule(name: String(words[2]))
            else { return nil }
            return LinkStep(from: from, to: to, rule: rule)
        }
        return .representationChanged(matchRule: rule, steps: steps, before: id, after: after)
    }
}

/// The lists of differences that pages were asked for last.
package final class ChangeLists: Sendable {
    private let lists = Mutex<[(key: [String], list: ChangeList)]>([])

    private static let most = 8

    package init() {}

    /// The list of a question about a state of the archive; made where it is not known.
    ///
    /// - Parameter fill: hands over the changes in their order.
    func list(
        _ key: [String], besideArchive path: String, _ fill: ((DiffChange) throws -> Void) throws -> Void
    ) throws -> ChangeList {
        if let known = lists.withLock({ $0.last { $0.key == key }?.list }) { return known }
        let list = try ChangeList(besideArchive: path, fill)
        lists.withLock { lists in
            lists.removeAll { $0.key == key }
            lists.append((key, list))
            if lists.count > Self.most { lists.removeFirst() }
        }
        return list
    }
}
