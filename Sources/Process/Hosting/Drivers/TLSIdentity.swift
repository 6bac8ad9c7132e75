internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The certificate and the key of a driver that listens with TLS 1.2 or 1.3.
///
/// They can be replaced while it listens: each connection has those that were the latest when it was accepted.
package final class TLSIdentity: Sendable {
    /// A context, and the certificate that its connections show.
    struct Current {
        let context: NIOSSLContext
        let certificate: [UInt8]
    }

    private let state: Mutex<Current>

    /// - Parameters:
    ///   - certificates: The certificate, and those of its issuers that peers get, as DER.
    ///   - key: The private key of the first certificate, as DER.
    /// - Throws: An error if they cannot be read, or do not belong together.
    package init(certificates: [[UInt8]], key: [UInt8]) throws {
        state = Mutex(try Self.make(certificates, key))
    }

    /// Replaces both for the connections that are accepted from now on.
    ///
    /// - Throws: An error if they cannot be read, or do not belong together; then the former ones stay.
    package func replace(certificates: [[UInt8]], key: [UInt8]) throws {
        let new = try Self.make(certificates, key)
        state.withLock { $0 = new }
    }

    var current: Current { state.withLock(\.self) }

    private static func make(_ certificates: [[UInt8]], _ key: [UInt8]) throws -> Current {
        guard let first = certificates.first, !certificates.contains([]) else {
            throw NIOSSLError.failedToLoadCertificate
        }
        guard !key.isEmpty else { throw NIOSSLError.failedToLoadPrivateKey }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try certificates.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .der))
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.shutdownTimeout = .seconds(1)
        return Current(context: try NIOSSLContext(configuration: configuration), certificate: first)
    }
}
