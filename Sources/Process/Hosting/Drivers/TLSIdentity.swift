internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The certificate and the key of a driver that listens with TLS 1.2 or 1.3.
///
/// They can be replaced while it listens: each connection has those that were the latest when it was accepted.
package final class TLSIdentity: Sendable {
    private let current: Mutex<NIOSSLContext>

    /// - Parameters:
    ///   - certificates: The certificate, and those of its issuers that peers get, as DER.
    ///   - key: The private key of the first certificate, as DER.
    /// - Throws: An error if they cannot be read, or do not belong together.
    package init(certificates: [[UInt8]], key: [UInt8]) throws {
        current = Mutex(try Self.context(certificates, key))
    }

    /// Replaces both for the connections that are accepted from now on.
    ///
    /// - Throws: An error if they cannot be read, or do not belong together; then the former ones stay.
    package func replace(certificates: [[UInt8]], key: [UInt8]) throws {
        let context = try Self.context(certificates, key)
        current.withLock { $0 = context }
    }

    var context: NIOSSLContext { current.withLock(\.self) }

    private static func context(_ certificates: [[UInt8]], _ key: [UInt8]) throws -> NIOSSLContext {
        guard !certificates.isEmpty, !certificates.contains([]) else { throw NIOSSLError.failedToLoadCertificate }
        guard !key.isEmpty else { throw NIOSSLError.failedToLoadPrivateKey }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try certificates.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .der))
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.shutdownTimeout = .seconds(1)
        return try NIOSSLContext(configuration: configuration)
    }
}
