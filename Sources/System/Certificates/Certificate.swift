internal import CCrypto
internal import HAPCore

/// An X.509 certificate with an RSA key.
package struct Certificate: Sendable, Hashable {
    /// What the key of a certificate may be used for.
    package enum Kind: Sendable, Hashable {
        /// It signs certificates and messages.
        case authority
        /// It signs messages, such as the answer to a challenge.
        case leaf
        /// It identifies a server in TLS.
        case server

        /// The extensions, in the notation of libcrypto's configuration files.
        fileprivate var extensions: [(id: CInt, value: String)] {
            switch self {
            case .authority:
                [
                    (NID_basic_constraints, "critical,CA:TRUE"),
                    (NID_key_usage, "critical,keyCertSign,digitalSignature"),
                ]
            case .leaf: [(NID_key_usage, "critical,digitalSignature")]
            case .server:
                [
                    (NID_key_usage, "critical,digitalSignature,keyEncipherment"),
                    (NID_ext_key_usage, "serverAuth"),
                ]
            }
        }
    }

    package let der: [UInt8]

    /// Reads a certificate, without checking its signature and its times.
    package init(der: [UInt8]) throws(CertificateError) {
        guard Libcrypto.load() else { throw .noLibrary }
        guard let object = decoded(der, by: { hap_d2i_X509(nil, $0, $1) }, free: { hap_X509_free($0) }) else {
            throw .invalidCertificate
        }
        hap_X509_free(object)
        self.der = der
    }

    private init(checked der: [UInt8]) {
        self.der = der
    }

    /// Returns whether the key of the certificate has signed a message (RSASSA-PKCS1-v1_5).
    package func verifies(_ signature: [UInt8], of message: [UInt8], hash: RSAKey.Hash) -> Bool {
        guard let object = decoded(der, by: { hap_d2i_X509(nil, $0, $1) }, free: { hap_X509_free($0) }) else {
            return false
        }
        defer { hap_X509_free(object) }
        guard let key = hap_X509_get0_pubkey(object), let context = hap_EVP_MD_CTX_new() else { return false }
        defer { hap_EVP_MD_CTX_free(context) }
        let isValid =
            hap_EVP_DigestVerifyInit(context, nil, hash.method, nil, key) == 1
            && hap_EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isValid { hap_ERR_clear_error() }
        return isValid
    }

    /// The SHA-256 digest of the certificate, as 64 hexadecimal digits; empty if libcrypto fails.
    package var fingerprint: String {
        guard let object = decoded(der, by: { hap_d2i_X509(nil, $0, $1) }, free: { hap_X509_free($0) }) else {
            return ""
        }
        defer { hap_X509_free(object) }
        var digest = [UInt8](repeating: 0, count: 32)
        var count: CUnsignedInt = 0
        guard hap_X509_digest(object, hap_EVP_sha256(), &digest, &count) == 1, count == 32 else { return "" }
        return digest.map(\.paddedHexadecimal).joined()
    }

    /// The text form: Base64 between two lines that name it.
    package var pem: String {
        var digits = Base64.encode(der)[...]
        var text = "-----BEGIN CERTIFICATE-----\n"
        while !digits.isEmpty {
            text += digits.prefix(64) + "\n"
            digits = digits.dropFirst(64)
        }
        return text + "-----END CERTIFICATE-----\n"
    }

    /// Makes a certificate and signs it with SHA-256, which takes about a millisecond.
    ///
    /// - Parameters:
    ///   - subject: The common name, of 1 to 64 characters.
    ///   - key: The key whose public half is certified.
    ///   - issuer: The common name and the key of the issuer; `nil` for a certificate that is signed with its own key.
    ///   - notBefore: The beginning of its life, in seconds since 1970.
    ///   - notAfter: The end of its life, in seconds since 1970.
    ///   - serial: The serial number, which no other certificate of the issuer has.
    package static func make(
        _ kind: Kind,
        subject: String,
        key: RSAKey,
        issuer: (name: String, key: RSAKey)? = nil,
        notBefore: Int,
        notAfter: Int,
        serial: UInt64 = .random(in: 1..<1 << 63)
    ) throws(CertificateError) -> Certificate {
        // The key exists, so libcrypto is loaded.
        guard let object = hap_X509_new() else { throw failure(to: "make a certificate") }
        defer { hap_X509_free(object) }
        guard setName(subject, in: hap_X509_get_subject_name(object)),
            setName(issuer?.name ?? subject, in: hap_X509_get_issuer_name(object))
        else { throw .invalidName }
        guard notBefore <= notAfter,
            hap_ASN1_TIME_set(hap_X509_getm_notBefore(object), notBefore) != nil,
            hap_ASN1_TIME_set(hap_X509_getm_notAfter(object), notAfter) != nil
        else { throw .invalidTime }
        guard hap_X509_set_version(object, Int(X509_VERSION_3)) == 1,
            hap_ASN1_INTEGER_set_uint64(hap_X509_get_serialNumber(object), serial) == 1,
            key.setPublicKey(of: object),
            kind.extensions.allSatisfy({ add($0.value, of: $0.id, to: object) }),
            (issuer?.key ?? key).sign(object),
            let der = encoded({ hap_i2d_X509(object, $0) })
        else { throw failure(to: "make a certificate") }
        return Certificate(checked: der)
    }

    /// Sets the common name; returns `false` if it is not valid.
    private static func setName(_ text: String, in name: OpaquePointer?) -> Bool {
        // Checked here as well, because the parameter of libcrypto is a CInt. A character has at most 4 bytes.
        guard let count = CInt(exactly: text.utf8.count), count > 0 else { return false }
        let isSet = hap_X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, Array(text.utf8), count, -1, 0) == 1
        if !isSet { hap_ERR_clear_error() }
        return isSet
    }

    /// Adds an extension; returns whether that succeeded.
    private static func add(_ value: String, of id: CInt, to certificate: OpaquePointer) -> Bool {
        guard let object = hap_X509V3_EXT_conf_nid(nil, nil, id, value) else { return false }
        defer { hap_X509_EXTENSION_free(object) }
        // A copy is added.
        return hap_X509_add_ext(certificate, object, -1) == 1
    }
}
