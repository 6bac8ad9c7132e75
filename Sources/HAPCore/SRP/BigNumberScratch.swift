internal import CCrypto

/// Where libcrypto keeps intermediate numbers.
///
/// They are wiped when it goes.
struct BigNumberScratch: ~Copyable {
    let pointer: OpaquePointer

    init() {
        guard let pointer = BN_CTX_new() else { preconditionFailure("no memory for numbers") }
        self.pointer = pointer
    }

    deinit {
        BN_CTX_free(pointer)
    }
}
