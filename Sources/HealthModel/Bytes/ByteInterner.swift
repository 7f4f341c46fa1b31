package import Basics
internal import Foundation

/// Gives equal byte strings equal small numbers, in bounded memory: a full table forgets everything and starts again,
/// so the same bytes may get another number later; whoever stores them must be able to find them again.
package final class ByteInterner {
    private struct Slot {
        var hash: UInt64 = 0
        var bytes = ByteSlice.absent
        var number: Int32 = -1
    }

    private var slots: [Slot]
    private var used = 0
    private let arena = ByteBuffer(capacity: 1 << 14)
    private let maximumEntries: Int
    private let maximumBytes: Int

    /// - Parameters:
    ///   - maximumEntries: how many strings are remembered before the table is emptied.
    ///   - maximumBytes: how many bytes they may have together.
    package init(maximumEntries: Int = 1 << 15, maximumBytes: Int = 4 << 20) {
        self.maximumEntries = maximumEntries
        self.maximumBytes = maximumBytes
        slots = [Slot](repeating: Slot(), count: 256)
    }

    /// The number of these bytes; nil when they are not known.
    @inline(__always)
    package func number(of view: ByteView) -> Int32? { slot(of: view).map { slots[$0].number } }

    @inline(__always)
    private func slot(of view: ByteView) -> Int? {
        let hash = Self.hash(view)
        var at = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[at].number >= 0 {
            if slots[at].hash == hash, arena.view(slots[at].bytes) == view { return at }
            at = (at + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Remembers the number of bytes that `number(of:)` did not know.
    package func insert(_ view: ByteView, number: Int32) {
        if used >= maximumEntries || arena.count + view.count > maximumBytes { removeAll() }
        guard view.count <= maximumBytes else { return }
        if used * 2 >= slots.count { grow() }
        let offset = arena.count
        arena.append(view)
        place(Slot(hash: Self.hash(view), bytes: arena.slice(from: offset), number: number))
        used += 1
    }

    /// Replaces the number of bytes that are known.
    package func update(_ view: ByteView, number: Int32) {
        if let at = slot(of: view) { slots[at].number = number }
    }

    package func removeAll() {
        slots = [Slot](repeating: Slot(), count: 256)
        arena.removeAll()
        used = 0
    }

    private func place(_ slot: Slot) {
        var at = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
        while slots[at].number >= 0 { at = (at + 1) & (slots.count - 1) }
        slots[at] = slot
    }

    private func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for slot in old where slot.number >= 0 { place(slot) }
    }

    /// A multiplicative hash over eight bytes at a time; collisions only cost a comparison.
    @inline(__always)
    package static func hash(_ view: ByteView) -> UInt64 {
        var h: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: view.count)
        var i = 0
        while i + 8 <= view.count {
            h = mix(h ^ view.long(at: i))
            i += 8
        }
        var tail: UInt64 = 0
        while i < view.count {
            tail = tail << 8 | UInt64(view[i])
            i += 1
        }
        return mix(h ^ tail)
    }

    @inline(__always)
    private static func mix(_ x: UInt64) -> UInt64 {
        let (high, low) = x.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return high ^ low
    }
}
