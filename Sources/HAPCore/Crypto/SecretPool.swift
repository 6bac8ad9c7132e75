internal import CSodium
internal import Synchronization

/// Guarded memory for many short secrets, handed out in slots of one size.
///
/// A piece of libsodium's guarded memory takes ten system calls from first to last, as long as an agreement of keys. So
/// one piece, a page between two inaccessible ones, locked and kept out of core dumps, is divided among up to 64
/// secrets. Slots are zero when they are taken, and wiped when they are given back. Another page comes when all are
/// full; a page goes when nothing is left in it and another one has room, so that the memory is bounded by the secrets
/// that are held.
final class SecretPool: Sendable {
    /// One slot; whoever took it is its only owner until it is given back.
    struct Slot: @unchecked Sendable {
        // Sendable without a lock: the address is all it is, and what lies there has one owner.
        let base: UnsafeMutableRawPointer
    }

    /// How many bytes a slot has.
    let slotSize: Int
    private let slotsPerPage: Int
    /// The lock of everything but the contents of slots that are taken.
    private let pages = Mutex<[Page]>([])

    private struct Page: @unchecked Sendable {
        // Sendable without a lock of its own: it lives under the pool's.
        let base: UnsafeMutableRawPointer
        /// A bit for each slot that is free.
        var free: UInt64
    }

    private static let pageSize = 4096

    /// Makes a pool without memory.
    ///
    /// - Parameter slotSize: A multiple of 16, 64 at least, so that no page has more than 64 slots.
    init(slotSize: Int) {
        precondition(slotSize.isMultiple(of: 16) && (64...Self.pageSize).contains(slotSize), "a slot of that size")
        self.slotSize = slotSize
        slotsPerPage = Self.pageSize / slotSize
    }

    deinit {
        pages.withLock { pages in
            for page in pages {
                sodium_free(page.base)
            }
        }
    }

    /// How many pages there are.
    var pageCount: Int {
        pages.withLock { $0.count }
    }

    /// Takes a slot, all zeros.
    func take() -> Slot {
        pages.withLock { pages in
            let index =
                pages.firstIndex { $0.free != 0 }
                ?? {
                    pages.append(makePage())
                    return pages.count - 1
                }()
            let position = pages[index].free.trailingZeroBitCount
            pages[index].free &= ~(1 << position)
            return Slot(base: pages[index].base + position * slotSize)
        }
    }

    /// Wipes a slot and takes it back.
    func giveBack(_ slot: consuming Slot) {
        sodium_memzero(slot.base, slotSize)
        let base = slot.base
        pages.withLock { pages in
            guard let index = pages.firstIndex(where: { (0..<Self.pageSize).contains(base - $0.base) }) else {
                preconditionFailure("a slot is given back to the pool that it came from")
            }
            let bit: UInt64 = 1 << ((base - pages[index].base) / slotSize)
            precondition(pages[index].free & bit == 0, "a slot is given back once")
            pages[index].free |= bit
            guard pages[index].free == allSlots, pages.contains(where: { $0.base != pages[index].base && $0.free != 0 })
            else { return }
            sodium_free(pages.remove(at: index).base)
        }
    }

    private var allSlots: UInt64 {
        .max >> (64 - slotsPerPage)
    }

    private func makePage() -> Page {
        guard let base = sodium_malloc(Self.pageSize) else { preconditionFailure("no memory for secrets") }
        sodium_memzero(base, Self.pageSize)
        return Page(base: base, free: allSlots)
    }
}
