internal import HAPCore

/// The reason why a key or a certificate cannot be read, made or used.
///
/// This is the only error type of this module.
package struct CertificateError: ExplainedError {
    /// The kinds of failures.
    package enum Code: String, Sendable, Hashable {
        /// libcrypto cannot be loaded.
        case noLibrary
        /// The bytes are not a key of an accepted size.
        case invalidKey
        /// The bytes are not a certificate.
        case invalidCertificate
        /// A certificate cannot have this name.
        case invalidName
        /// A certificate cannot be valid at these times.
        case invalidTime
        /// libcrypto reports a failure that has no reason in the arguments.
        case failed
    }

    package let code: Code
    package let reason: String
    package let remedy: String
}

extension CertificateError {
    static let noLibrary = CertificateError(
        code: .noLibrary,
        reason: "libcrypto.so.3 cannot be loaded.",
        remedy: "Install it, on Debian with `apt install libssl3`."
    )

    static let invalidKey = CertificateError(
        code: .invalidKey,
        reason: "The bytes are not an RSA key of 2,048 to 4,096 bits.",
        remedy: "Generate another key."
    )

    static let invalidCertificate = CertificateError(
        code: .invalidCertificate,
        reason: "The bytes are not an X.509 certificate.",
        remedy: "Make another certificate."
    )

    static let invalidName = CertificateError(
        code: .invalidName,
        reason: "The name of a certificate has 1 to 64 characters.",
        remedy: "Choose another name."
    )

    static let invalidTime = CertificateError(
        code: .invalidTime,
        reason: "The certificate ends before it begins, or its years have more than four digits.",
        remedy: "Choose other times."
    )

    /// - Parameter action: What has failed, such as `sign`.
    static func failed(to action: String) -> CertificateError {
        CertificateError(
            code: .failed,
            reason: "libcrypto cannot \(action).",
            remedy: "Check whether memory is available, and try again."
        )
    }
}
