internal import CSodium
internal import Synchronization

/// Secret bytes, such as keys, seeds and shared secrets.
///
/// The memory is locked and is wiped at the end of the value's life. Its pages contain only secrets and lie between
/// inaccessible pages. The bytes are only accessible through ``withBytes(_:)``; a caller that needs them elsewhere
/// copies them into another `SecretBytes`.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Sendable without a lock: the memory has one owner and is written only through `inout` access to it.
    private let base: UnsafeMutableRawPointer
    package let count: Int

    /// Keys and seeds of all connections.
    private static let keys = SecretPool(slotSize: 64)
    /// The large numbers that pair-setup computes with.
    private static let numbers = SecretPool(slotSize: SRPGroup.elementLength)

    /// Allocates `count` zero bytes, which `fill` writes.
    package init<Failure: Error>(
        count: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(count > 0, "a secret has at least one byte")
        Sodium.initialize()
        if let pool = Self.pool(for: count) {
            base = pool.allocate().base
        } else {
            guard let base = sodium_malloc(count) else {
                preconditionFailure("no memory for a secret of \(count) bytes")
            }
            sodium_memzero(base, count)
            self.base = base
        }
        self.count = count
        try fill(UnsafeMutableRawBufferPointer(start: base, count: count))
    }

    /// Copies bytes into locked memory; the caller wipes the source.
    package init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { target in
            target.copyBytes(from: bytes)
        }
    }

    /// Generates random bytes with the system's generator.
    package static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count) { target in
            randombytes_buf(target.bytePointer, target.count)
        }
    }

    deinit {
        if let pool = Self.pool(for: count) {
            pool.deallocate(SecretPool.Slot(base: base))
        } else {
            sodium_free(base)
        }
    }

    /// Lends the bytes for reading.
    ///
    /// The pointer must not outlive the call.
    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Lends the bytes for writing.
    ///
    /// The pointer must not outlive the call.
    package mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeMutableRawBufferPointer(start: base, count: count))
    }

    /// Returns the pool for secrets of a size; `nil` for a large one, which has its own pages.
    private static func pool(for count: Int) -> SecretPool? {
        switch count {
        case ...keys.slotSize: keys
        case ...numbers.slotSize: numbers
        default: nil
        }
    }
}

/// Guarded memory for many short secrets, in slots of one size.
///
/// Allocating guarded memory with libsodium takes ten system calls, which cost as much as a key agreement. Therefore up
/// to 64 secrets share one allocation: a page between two inaccessible ones, locked and excluded from core dumps. Slots
/// are zero when they are allocated, and wiped when they are released. When all pages are full, a page is added. An
/// empty page is removed if another one has room, so that the memory is bounded by the number of secrets.
final class SecretPool: Sendable {
    /// One slot; its allocator is its only owner until it is released.
    struct Slot: @unchecked Sendable {
        // Sendable without a lock: a slot is only an address, and the memory at that address has one owner.
        let base: UnsafeMutableRawPointer
    }

    /// The number of bytes of a slot.
    let slotSize: Int
    private let slotsPerPage: Int
    /// The lock for everything except the contents of allocated slots.
    private let pages = Mutex<[Page]>([])

    private struct Page: @unchecked Sendable {
        // Sendable without its own lock: it is protected by the pool's.
        let base: UnsafeMutableRawPointer
        /// A bit for each slot that is free.
        var freeSlots: UInt64
    }

    private static let pageSize = 4096

    /// Creates a pool without memory.
    ///
    /// - Parameter slotSize: A multiple of 16, at least 64, so that no page has more than 64 slots.
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

    /// The number of pages.
    var pageCount: Int {
        pages.withLock { $0.count }
    }

    /// Allocates a slot of zeros.
    func allocate() -> Slot {
        pages.withLock { pages in
            let index =
                pages.firstIndex { $0.freeSlots != 0 }
                ?? {
                    pages.append(makePage())
                    return pages.count - 1
                }()
            let position = pages[index].freeSlots.trailingZeroBitCount
            pages[index].freeSlots &= ~(1 << position)
            return Slot(base: pages[index].base + position * slotSize)
        }
    }

    /// Wipes and releases a slot.
    func deallocate(_ slot: consuming Slot) {
        sodium_memzero(slot.base, slotSize)
        let base = slot.base
        pages.withLock { pages in
            guard let index = pages.firstIndex(where: { (0..<Self.pageSize).contains(base - $0.base) }) else {
                preconditionFailure("a slot is given back to the pool that it came from")
            }
            let bit: UInt64 = 1 << ((base - pages[index].base) / slotSize)
            precondition(pages[index].freeSlots & bit == 0, "a slot is given back once")
            pages[index].freeSlots |= bit
            guard pages[index].freeSlots == allSlots,
                pages.contains(where: { $0.base != pages[index].base && $0.freeSlots != 0 })
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
        return Page(base: base, freeSlots: allSlots)
    }
}
