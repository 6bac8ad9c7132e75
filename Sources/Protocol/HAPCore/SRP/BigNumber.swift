internal import CCrypto

/// The library of large numbers, which is loaded when it is needed.
package enum Libcrypto {
    /// Loads it, and returns whether that succeeded.
    ///
    /// Without it, the first operation ends the process. Takes about a millisecond at the first call.
    package static func load() -> Bool { hap_crypto_load() }
}

/// A natural number of libcrypto, which is wiped at the end of its life.
///
/// An operation can only fail if memory runs out, which ends the process. No peer can cause that, since all numbers
/// here have limited size.
struct BigNumber: ~Copyable, @unchecked Sendable {
    // Sendable without a lock: the number is only written while its owner creates it, and read after that.
    let pointer: OpaquePointer

    /// Creates zero.
    init() {
        guard let pointer = hap_BN_new() else { preconditionFailure("no memory for a number") }
        self.pointer = pointer
    }

    /// Reads public big-endian bytes.
    init(_ bytes: [UInt8]) {
        self.init()
        precondition(hap_BN_bin2bn(bytes, CInt(bytes.count), pointer) != nil, "no memory for a number")
    }

    /// Reads secret big-endian bytes.
    init(_ secret: borrowing SecretBytes) {
        self = secret.withBytes { BigNumber($0) }
    }

    /// Reads secret big-endian bytes from borrowed memory.
    init(_ secret: UnsafeRawBufferPointer) {
        self.init()
        precondition(hap_BN_bin2bn(secret.bytePointer, CInt(secret.count), pointer) != nil, "no memory for a number")
    }

    deinit {
        hap_BN_clear_free(pointer)
    }

    var isZero: Bool {
        hap_BN_is_zero(pointer) == 1
    }

    /// Writes the number big-endian, padded with zeros to fill `target`, which has room for it.
    func write(into target: UnsafeMutableRawBufferPointer) {
        let written = hap_BN_bn2binpad(pointer, target.bytePointer, CInt(target.count))
        precondition(Int(written) == target.count, "the number has more bytes than its place")
    }

    /// Returns the number, if it need not stay secret: big-endian, padded with zeros to `count` bytes.
    func bytes(count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { write(into: $0) }
        return bytes
    }
}

/// Storage for libcrypto's intermediate numbers, which are wiped at the end of its life.
struct BigNumberContext: ~Copyable {
    let pointer: OpaquePointer

    init() {
        guard let pointer = hap_BN_CTX_new() else { preconditionFailure("no memory for numbers") }
        self.pointer = pointer
    }

    deinit {
        hap_BN_CTX_free(pointer)
    }
}
