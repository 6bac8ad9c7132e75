internal import CCrypto
internal import HAPCore

/// An RSA key that signs messages and certificates.
package struct RSAKey: Sendable {
    /// The hash that is signed.
    package enum Hash: Sendable, Hashable {
        case sha1, sha256

        var method: OpaquePointer? {
            switch self {
            case .sha1: hap_EVP_sha1()
            case .sha256: hap_EVP_sha256()
            }
        }
    }

    /// The number of bits of a new key.
    private static let newBits: CInt = 2_048
    /// The sizes of keys that are read: a shorter one is not secure, and a signature with a longer one takes too long.
    private static let acceptedBits: ClosedRange<CInt> = 2_048...4_096

    private let object: KeyObject

    private init(_ object: KeyObject) {
        self.object = object
    }

    /// Generates a key of 2,048 bits.
    ///
    /// It takes from 50 ms to a second, so call it outside of event loops.
    package static func generate() throws(CertificateError) -> RSAKey {
        guard Libcrypto.load() else { throw .noLibrary }
        guard let context = hap_EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else { throw failure(to: "generate a key") }
        defer { hap_EVP_PKEY_CTX_free(context) }
        var pointer: OpaquePointer?
        guard hap_EVP_PKEY_keygen_init(context) == 1,
            hap_EVP_PKEY_CTX_set_rsa_keygen_bits(context, newBits) == 1,
            hap_EVP_PKEY_generate(context, &pointer) == 1,
            let pointer
        else { throw failure(to: "generate a key") }
        return RSAKey(KeyObject(pointer))
    }

    /// Reads a key of 2,048 to 4,096 bits, in PKCS#1 or PKCS#8.
    package init(der: [UInt8]) throws(CertificateError) {
        guard Libcrypto.load() else { throw .noLibrary }
        let pointer = decoded(der) {
            hap_d2i_PrivateKey(EVP_PKEY_RSA, nil, $0, $1)
        } free: {
            hap_EVP_PKEY_free($0)
        }
        guard let pointer else { throw .invalidKey }
        object = KeyObject(pointer)
        guard Self.acceptedBits.contains(hap_EVP_PKEY_get_bits(pointer)) else { throw .invalidKey }
    }

    /// The private key in PKCS#1 (`RSAPrivateKey`, [RFC 8017](https://www.rfc-editor.org/rfc/rfc8017#appendix-A.1.2)).
    ///
    /// It is a secret, which the caller stores where no other user can read it.
    package var der: [UInt8] {
        get throws(CertificateError) {
            guard let bytes = encoded({ hap_i2d_PrivateKey(object.pointer, $0) }) else {
                throw failure(to: "encode a key")
            }
            return bytes
        }
    }

    /// Returns the signature of a message (RSASSA-PKCS1-v1_5), which takes about a millisecond.
    package func signature(of message: [UInt8], hash: Hash) throws(CertificateError) -> [UInt8] {
        guard let context = hap_EVP_MD_CTX_new() else { throw failure(to: "sign") }
        defer { hap_EVP_MD_CTX_free(context) }
        var size = 0
        // The padding of PKCS#1 is the default of an RSA key.
        guard hap_EVP_DigestSignInit(context, nil, hash.method, nil, object.pointer) == 1,
            hap_EVP_DigestSign(context, nil, &size, message, message.count) == 1
        else { throw failure(to: "sign") }
        var signature = [UInt8](repeating: 0, count: size)
        guard hap_EVP_DigestSign(context, &signature, &size, message, message.count) == 1, size <= signature.count
        else { throw failure(to: "sign") }
        signature.removeLast(signature.count - size)
        return signature
    }

    /// Makes the public half of the key that of a certificate; returns whether that succeeded.
    func setPublicKey(of certificate: OpaquePointer) -> Bool {
        hap_X509_set_pubkey(certificate, object.pointer) == 1
    }

    /// Signs a certificate; returns whether that succeeded.
    func sign(_ certificate: OpaquePointer) -> Bool {
        hap_X509_sign(certificate, object.pointer, hap_EVP_sha256()) > 0
    }
}

/// A key of libcrypto, which wipes it when it is freed.
private final class KeyObject: @unchecked Sendable {
    // Sendable without a lock: nothing changes the key after it was created.
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        hap_EVP_PKEY_free(pointer)
    }
}

/// Returns the error of a failure of libcrypto, whose own description of it is dropped.
func failure(to action: String) -> CertificateError {
    hap_ERR_clear_error()
    return .failed(to: action)
}

/// Returns the object that an encoding contains; `nil` if it is not one, or if bytes follow it.
///
/// - Parameters:
///   - decode: A function of libcrypto that advances a pointer by the bytes that it has read.
///   - free: Frees an object with bytes behind it.
func decoded(
    _ der: [UInt8],
    by decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
    free: (OpaquePointer) -> Void
) -> OpaquePointer? {
    der.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return nil }
        var place: UnsafePointer<UInt8>? = start
        guard let object = decode(&place, buffer.count) else {
            hap_ERR_clear_error()
            return nil
        }
        guard place == start + buffer.count else {
            free(object)
            return nil
        }
        return object
    }
}

/// Returns the encoding of an object; `nil` at a failure.
///
/// - Parameter encode: A function of libcrypto that returns the number of bytes, and writes them to a place that is not
///   `nil`.
func encoded(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt) -> [UInt8]? {
    let count = encode(nil)
    guard count > 0 else { return nil }
    // Written where it stays, so that no copy of a secret must be wiped.
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let written = bytes.withUnsafeMutableBufferPointer { buffer in
        var place = buffer.baseAddress
        return encode(&place)
    }
    return written == count ? bytes : nil
}
