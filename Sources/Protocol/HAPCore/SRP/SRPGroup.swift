internal import CCrypto

/// The group in which HAP runs SRP-6a: the 3072-bit prime of RFC 5054 with the generator 5.
///
/// HAP: §6.1; [RFC 5054](https://www.rfc-editor.org/rfc/rfc5054#appendix-A).
package final class SRPGroup: @unchecked Sendable {
    // Sendable without a lock: everything is created in `init` and only read after that.
    private let montgomeryContext: OpaquePointer
    private let multiplierInMontgomeryForm: BigNumber
    let prime: BigNumber
    let generator: BigNumber
    /// `H(N) xor H(g)`, with which every proof begins.
    package let proofPrefix: [UInt8]
    /// `k = H(PAD(N) ‖ PAD(g))`.
    package let multiplier: [UInt8]

    /// The number of bytes of a padded number of the group.
    package static let elementLength = 384
    /// The only instance: the constants, and libcrypto's precomputed values for multiplication modulo the prime.
    package static let standard = SRPGroup()

    private init() {
        let numbers = BigNumberContext()
        prime = BigNumber()
        precondition(hap_BN_get_rfc3526_prime_3072(prime.pointer) != nil, "no memory for a number")
        generator = BigNumber([5])
        guard let context = hap_BN_MONT_CTX_new() else { preconditionFailure("no memory for a number") }
        precondition(hap_BN_MONT_CTX_set(context, prime.pointer, numbers.pointer) == 1, "no memory for a number")
        self.montgomeryContext = context

        let primeBytes = prime.bytes(count: Self.elementLength)
        multiplier = SHA512.hash(primeBytes + generator.bytes(count: Self.elementLength))
        proofPrefix = zip(SHA512.hash(primeBytes), SHA512.hash([5])).map { $0 ^ $1 }
        multiplierInMontgomeryForm = BigNumber(multiplier)
        precondition(
            hap_BN_to_montgomery(
                multiplierInMontgomeryForm.pointer,
                multiplierInMontgomeryForm.pointer,
                context,
                numbers.pointer
            ) == 1,
            "no memory for a number"
        )
    }

    deinit {
        hap_BN_MONT_CTX_free(montgomeryContext)
    }

    /// Returns the result of an operation of libcrypto, which writes to the number and returns 1 on success.
    private static func number(_ operation: (_ result: OpaquePointer) -> CInt) -> BigNumber {
        let result = BigNumber()
        let isDone = operation(result.pointer)
        precondition(isDone == 1, "no memory for a number")
        return result
    }

    /// Returns `base ^ exponent mod N`, in a time that does not depend on the exponent's bits.
    func power(_ base: borrowing BigNumber, _ exponent: borrowing BigNumber, _ scratch: borrowing BigNumberContext)
        -> BigNumber
    {
        hap_BN_set_constant_time(exponent.pointer)
        return Self.number { result in
            hap_BN_mod_exp_mont_consttime(
                result,
                base.pointer,
                exponent.pointer,
                prime.pointer,
                scratch.pointer,
                montgomeryContext
            )
        }
    }

    /// Returns `left * right mod N`; both are smaller than N.
    func product(_ left: borrowing BigNumber, _ right: borrowing BigNumber, _ scratch: borrowing BigNumberContext)
        -> BigNumber
    {
        let result = montgomeryForm(left, scratch)
        multiply(result, by: right, scratch)
        return result
    }

    /// Returns a number smaller than N in Montgomery form.
    func montgomeryForm(_ number: borrowing BigNumber, _ scratch: borrowing BigNumberContext) -> BigNumber {
        Self.number { hap_BN_to_montgomery($0, number.pointer, montgomeryContext, scratch.pointer) }
    }

    /// Converts a number from its Montgomery form.
    func ordinaryForm(_ number: borrowing BigNumber, _ scratch: borrowing BigNumberContext) -> BigNumber {
        Self.number { hap_BN_from_montgomery($0, number.pointer, montgomeryContext, scratch.pointer) }
    }

    /// Multiplies a number in Montgomery form in place by another, which is in the same form as the result.
    func multiply(
        _ number: borrowing BigNumber,
        by factor: borrowing BigNumber,
        _ scratch: borrowing BigNumberContext
    ) {
        let isDone = hap_BN_mod_mul_montgomery(
            number.pointer,
            number.pointer,
            factor.pointer,
            montgomeryContext,
            scratch.pointer
        )
        precondition(isDone == 1, "no memory for a number")
    }

    /// Squares a number in place; it is in Montgomery form.
    func square(_ number: borrowing BigNumber, _ scratch: borrowing BigNumberContext) {
        multiply(number, by: number, scratch)
    }

    /// Returns `k * number mod N`; the number is smaller than N.
    func multipliedByK(_ number: borrowing BigNumber, _ scratch: borrowing BigNumberContext) -> BigNumber {
        Self.number { result in
            hap_BN_mod_mul_montgomery(
                result,
                multiplierInMontgomeryForm.pointer,
                number.pointer,
                montgomeryContext,
                scratch.pointer
            )
        }
    }

    /// Returns `left + right mod N`; both are smaller than N.
    func sum(_ left: borrowing BigNumber, _ right: borrowing BigNumber) -> BigNumber {
        Self.number { hap_BN_mod_add_quick($0, left.pointer, right.pointer, prime.pointer) }
    }

    /// Returns `left - right mod N`; both are smaller than N.
    func difference(_ left: borrowing BigNumber, _ right: borrowing BigNumber) -> BigNumber {
        Self.number { hap_BN_mod_sub_quick($0, left.pointer, right.pointer, prime.pointer) }
    }

    /// Returns a peer's public number of 1 to 384 bytes modulo N; `nil` if the result is zero.
    func element(_ bytes: [UInt8], _ scratch: borrowing BigNumberContext) -> BigNumber? {
        precondition(bytes.count <= Self.elementLength, "a public number has at most 384 bytes")
        let number = BigNumber(bytes)
        let result = Self.number { hap_BN_nnmod($0, number.pointer, prime.pointer, scratch.pointer) }
        if result.isZero { return nil }
        return result
    }

    /// Returns the exponent `addend + left * right`.
    static func multiplyAdd(
        _ addend: borrowing BigNumber,
        _ left: borrowing BigNumber,
        _ right: borrowing BigNumber,
        _ scratch: borrowing BigNumberContext
    ) -> BigNumber {
        let product = number { hap_BN_mul($0, left.pointer, right.pointer, scratch.pointer) }
        let isDone = hap_BN_add(product.pointer, product.pointer, addend.pointer)
        precondition(isDone == 1, "no memory for a number")
        return product
    }
}
