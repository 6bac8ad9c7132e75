internal import Cast
internal import Certificates
internal import FoundationEssentials
internal import HAPCore
internal import Hosting
internal import Synchronization

/// The keys of a receiver, which are made once.
struct CastKeys: Sendable {
    /// A UUID in hexadecimal digits without hyphens.
    let id: String
    /// Signs the certificates of devices.
    let authority: RSAKey
    /// Signs challenges and, for TLS, its own certificate.
    let device: RSAKey

    /// Returns the stored keys; makes and stores those that are missing.
    ///
    /// A key takes from 50 ms to a second to make, and is made on another thread.
    static func load(from store: DriverStore) async throws -> CastKeys {
        let id: String
        if let stored = try await store.get("id") {
            id = String(decoding: stored, as: UTF8.self)
        } else {
            id = UUID().uuidString.lowercased().replacing("-", with: "")
            try await store.set("id", to: Array(id.utf8))
        }
        return CastKeys(
            id: id,
            authority: try await key("authority", in: store),
            device: try await key("device", in: store)
        )
    }

    private static func key(_ name: String, in store: DriverStore) async throws -> RSAKey {
        if let stored = try await store.get(name) { return try RSAKey(der: stored) }
        let key = try await Task(executorPreference: globalConcurrentExecutor) { try RSAKey.generate() }.value
        try await store.set(name, to: key.der)
        return key
    }
}

/// The certificates of a receiver.
///
/// Chromium accepts a certificate of TLS only if it lives for at most four days, so it is renewed while the process runs.
///
/// See `docs/cast.md`.
final class CastCredentials: Sendable {
    /// How long a certificate of TLS lives, and how old it is when it is replaced.
    private static let (life, renewal) = (172_800, Duration.seconds(86_400))
    /// How long the other certificates live.
    private static let years = 20 * 31_556_952
    /// Clocks of peers may be slow.
    private static let slowness = 3_600

    private static let (rootName, intermediateName) = ("hap Cast Root", "hap Cast Intermediate")

    /// What Chromium must be given to accept the receiver.
    let root: Certificate
    let tls: TLSIdentity
    private let keys: CastKeys
    private let intermediate: Certificate
    private let device: Certificate

    init(_ keys: CastKeys) throws {
        self.keys = keys
        // They are the same at every start, so that a root that a user has saved stays valid.
        let (start, end) = (1_767_225_600, 1_767_225_600 + Self.years)
        root = try .make(
            .authority,
            subject: Self.rootName,
            key: keys.authority,
            notBefore: start,
            notAfter: end,
            serial: 1
        )
        intermediate = try .make(
            .authority,
            subject: Self.intermediateName,
            key: keys.authority,
            issuer: (Self.rootName, keys.authority),
            notBefore: start,
            notAfter: end,
            serial: 2
        )
        device = try .make(
            .leaf,
            subject: keys.id,
            key: keys.device,
            issuer: (Self.intermediateName, keys.authority),
            notBefore: start,
            notAfter: end,
            serial: 3
        )
        tls = try TLSIdentity(certificates: [Self.serverCertificate(keys).der], key: keys.device.der)
    }

    private static func serverCertificate(_ keys: CastKeys) throws -> Certificate {
        let now = Int(Date().timeIntervalSince1970)
        let times = (now - slowness, now + life - slowness)
        return try .make(.server, subject: keys.id, key: keys.device, notBefore: times.0, notAfter: times.1)
    }

    /// Replaces the certificate of TLS every day, until `sleep` throws.
    func renewRepeatedly(sleep: (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) async throws {
        while true {
            try await sleep(Self.renewal)
            try tls.replace(certificates: [Self.serverCertificate(keys).der], key: keys.device.der)
        }
    }

    /// Returns the proof that the receiver has a device certificate, or a refusal.
    ///
    /// - Parameter certificate: That of the connection, as DER.
    func answer(to challenge: AuthenticationChallenge, on certificate: [UInt8]) -> [UInt8] {
        guard challenge.isSupported else { return AuthenticationAnswer.refusal(2) }
        let signed = challenge.nonce + certificate
        guard let signature = try? keys.device.signature(of: signed, hash: challenge.hash == .sha1 ? .sha1 : .sha256)
        else {
            return AuthenticationAnswer.refusal(0)
        }
        return AuthenticationAnswer.proof(
            signature,
            certificate: device.der,
            intermediates: [intermediate.der],
            to: challenge
        )
    }
}
