internal import CSodium

/// Bytes that no one else may see: keys, seeds, shared secrets.
///
/// The memory is locked, on pages of secrets alone between inaccessible ones, and wiped when the value goes. The bytes
/// leave only through ``withBytes(_:)``; a caller that needs them elsewhere copies them into another `SecretBytes`.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Sendable without a lock: the memory has one owner and is written only through `inout` access to it.
    private let base: UnsafeMutableRawPointer
    package let count: Int

    /// Keys and seeds of all connections.
    private static let keys = SecretPool(slotSize: 64)
    /// The large numbers of pair-setup.
    private static let numbers = SecretPool(slotSize: SRPGroup.width)

    /// Allocates `count` zero bytes and lets `fill` write them.
    package init<Failure: Error>(
        count: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(count > 0, "a secret has at least one byte")
        Sodium.initialize()
        if let pool = Self.pool(for: count) {
            base = pool.take().base
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

    /// Copies bytes into locked memory.
    ///
    /// The source is the caller's to wipe.
    package init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { target in
            target.copyBytes(from: bytes)
        }
    }

    /// Draws random bytes from the system's generator.
    package static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count) { target in
            randombytes_buf(target.octets, target.count)
        }
    }

    deinit {
        if let pool = Self.pool(for: count) {
            pool.giveBack(SecretPool.Slot(base: base))
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

    /// Where a secret of that size lies; `nil` for a large one, which has pages of its own.
    private static func pool(for count: Int) -> SecretPool? {
        switch count {
        case ...keys.slotSize: keys
        case ...numbers.slotSize: numbers
        default: nil
        }
    }
}
