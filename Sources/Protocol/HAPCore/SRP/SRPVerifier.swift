internal import CSodium
internal import Synchronization

/// The salt and the verifier of a setup code, with which an accessory runs pair-setup.
///
/// A class, because the verifier is a secret that must exist only once.
///
/// HAP: §6.1
package final class SRPVerifier: Sendable {
    /// The salt: 16 bytes, the first of which is not zero.
    package let salt: [UInt8]
    /// The private key x, which follows from the salt, the user and the password.
    private let privateKey: SecretBytes
    private let computed = Mutex<Value?>(nil)

    /// The verifier, which must not be copied.
    private final class Value: Sendable {
        let bytes: SecretBytes

        init(_ bytes: consuming SecretBytes) {
            self.bytes = bytes
        }
    }

    /// Creates the verifier of a setup code with a new salt.
    package convenience init(code: SetupCode) {
        self.init(password: code.text)
    }

    /// Creates the verifier of another password, such as a PIN of AirPlay, with a new salt.
    ///
    /// The first byte of the salt is not zero, because some controllers treat the salt as a number.
    package convenience init(password: String) {
        var salt = [UInt8](repeating: 0, count: 16)
        Sodium.initialize()
        while salt.first == 0 {
            randombytes_buf(&salt, salt.count)
        }
        self.init(userName: SRPHash.userName, password: password, checkedSalt: salt)
    }

    /// Creates the verifier of a setup code with this salt; `nil` if the salt does not have 16 bytes.
    package convenience init?(code: SetupCode, salt: [UInt8]) {
        self.init(userName: SRPHash.userName, password: code.text, salt: salt)
    }

    /// Creates the verifier of any user; `nil` if the salt does not have 16 bytes.
    package convenience init?(userName: String, password: String, salt: [UInt8]) {
        guard salt.count == 16 else { return nil }
        self.init(userName: userName, password: password, checkedSalt: salt)
    }

    private init(userName: String, password: String, checkedSalt salt: [UInt8]) {
        self.salt = salt
        privateKey = SRPHash.privateKey(userName: userName, password: password, salt: salt)
    }

    /// `v = g ^ x mod N`: 384 bytes, big-endian.
    ///
    /// The first access takes a few milliseconds. Another one at the same time waits for it.
    package var verifier: SecretBytes {
        _read {
            let value = value()
            yield value.bytes
        }
    }

    /// Computes the verifier, if that has not happened.
    package func prepare() {
        _ = value()
    }

    private func value() -> Value {
        computed.withLock { computed in
            let value = computed ?? Value(compute())
            computed = value
            return value
        }
    }

    private func compute() -> SecretBytes {
        let group = SRPGroup.standard
        let verifier = group.power(group.generator, BigNumber(privateKey), BigNumberContext())
        return SecretBytes(count: SRPGroup.elementLength) { verifier.write(into: $0) }
    }
}

extension SRPVerifier: CustomStringConvertible {
    /// A fixed text without the salt and the verifier.
    package var description: String {
        "SRP verifier (hidden)"
    }
}

/// Precomputed powers of a verifier v, with which `v ^ u` takes 256 multiplications instead of about 620.
///
/// The 512 bits of u are written as four rows of 128. For each column, the table has the product of v, v ^ 2¹²⁸, v ^
/// 2²⁵⁶ and v ^ 2³⁸⁴ that the four bits select, so that a column takes one squaring and one multiplication.
///
/// The table is as secret as the verifier. The selection of its entries is not: u follows from A and B, which are sent
/// unencrypted.
///
/// HAP: §6.1
package final class SRPVerifierPowers: Sendable {
    private static let rows = 4
    private static let columns = 128
    private static let entryCount = 1 << rows - 1

    let verifier: SRPVerifier
    /// The products for the selections 1 to 15, in Montgomery form, 384 bytes each.
    private let entries: SecretBytes

    /// Computes the table: about half a millisecond.
    package init(of verifier: SRPVerifier) {
        self.verifier = verifier
        let group = SRPGroup.standard
        let scratch = BigNumberContext()
        entries = SecretBytes(count: Self.entryCount * SRPGroup.elementLength) { target in
            let row = group.montgomeryForm(BigNumber(verifier.verifier), scratch)
            for index in 0..<Self.rows {
                if index > 0 {
                    for _ in 0..<Self.columns {
                        group.square(row, scratch)
                    }
                }
                let bit = 1 << index
                row.write(into: Self.entry(bit, of: target))
                for lower in 1..<bit {
                    let product = BigNumber(UnsafeRawBufferPointer(Self.entry(lower, of: target)))
                    group.multiply(product, by: row, scratch)
                    product.write(into: Self.entry(bit | lower, of: target))
                }
            }
        }
    }

    /// Returns `v ^ u mod N` for u of 64 bytes, which is public.
    func power(_ exponent: [UInt8]) -> BigNumber {
        precondition(exponent.count == SHA512.digestLength, "u has 64 bytes")
        let group = SRPGroup.standard
        let scratch = BigNumberContext()
        let result = group.montgomeryForm(BigNumber([1]), scratch)
        entries.withBytes { entries in
            for column in (0..<Self.columns).reversed() {
                group.square(result, scratch)
                let selection = Self.selection(column, of: exponent)
                guard selection > 0 else { continue }
                group.multiply(result, by: BigNumber(Self.entry(selection, of: entries)), scratch)
            }
        }
        return group.ordinaryForm(result, scratch)
    }

    /// Returns the bits of the four rows in one column; the lowest row's bit is the least significant.
    private static func selection(_ column: Int, of exponent: [UInt8]) -> Int {
        (0..<rows)
            .reduce(0) { selection, row in
                let position = row * columns + column
                let bit = exponent[exponent.count - 1 - position / 8] >> (position % 8) & 1
                return selection | Int(bit) << row
            }
    }

    private static func entry(_ selection: Int, of entries: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            rebasing: entries[(selection - 1) * SRPGroup.elementLength..<selection * SRPGroup.elementLength]
        )
    }

    private static func entry(
        _ selection: Int,
        of entries: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            rebasing: entries[(selection - 1) * SRPGroup.elementLength..<selection * SRPGroup.elementLength]
        )
    }
}

extension SRPVerifierPowers: CustomStringConvertible {
    /// A fixed text without the table.
    package var description: String {
        "SRP verifier powers (hidden)"
    }
}
