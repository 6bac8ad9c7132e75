internal import FoundationEssentials
internal import HAPCore
internal import HTTPTypes

extension AccessControl {
    /// Begins a session for a client that has the token, and sets its cookie.
    ///
    /// - Throws: ``Problem`` for another token.
    func beginSession(_ secret: String) throws -> APIResponse {
        guard token.matches(secret) else {
            throw Problem(
                .unauthorized,
                "wrong-token",
                "This is not the token; open the link that hap has printed, or use the file console.token."
            )
        }
        var response = APIResponse.empty
        response.headers[.setCookie] =
            "\(cookieName)=\(sessions.begin()); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(BrowserSessions.seconds)"
        return response
    }

    /// Ends the sessions of a client, and deletes its cookie.
    ///
    /// - Throws: ``Problem`` if a session would be valid again after a restart.
    func endSessions(of request: APIRequest) async throws -> APIResponse {
        for id in sessionIDs(in: request.headers) where await !sessions.end(id) {
            throw Problem(
                .internalServerError,
                "store-failed",
                "The session has ended, but is valid again after a restart, because this could not be saved; check "
                    + "the state folder."
            )
        }
        var response = APIResponse.empty
        response.headers[.setCookie] = "\(cookieName)=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"
        return response
    }
}

/// A session of a browser without its signature: a random number, and the time at which it expires.
struct BrowserSession: Sendable, Hashable {
    /// The number of hexadecimal digits of the random number and the time.
    static let payloadLength = 48

    /// The number and the time in hexadecimal digits.
    let payload: String
    /// The time of expiry in seconds since 1970.
    let expiry: UInt64

    /// Creates a session with a random number.
    init(expiry: UInt64) {
        var generator = SodiumRandomNumberGenerator()
        payload = [generator.next(), generator.next(), expiry].map(\.paddedHexadecimal).joined()
        self.expiry = expiry
    }

    /// Reads the digits; returns `nil` if they are not a session.
    init?(payload: some StringProtocol) {
        guard payload.utf8.count == Self.payloadLength, payload.utf8.allSatisfy(Self.isDigit),
            let expiry = UInt64(payload.suffix(16), radix: 16)
        else { return nil }
        self.payload = String(payload)
        self.expiry = expiry
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}

/// The sessions of browsers, each with an id in a cookie.
///
/// Browsers send cookies to every port of a host, so another program of this machine could receive one. It would get an
/// id that expires, and never the token. An id is a session with a signature by a key that is derived from the token,
/// so that it is valid after a restart without being stored. Only sessions that are ended earlier are stored.
final class BrowserSessions: Sendable {
    /// The seconds for which a session is valid: 7 days.
    static let seconds = 604_800
    /// The number of hexadecimal digits of a signature.
    private static let signatureLength = 64

    private let key: [UInt8]
    private let ended: EndedSessions

    /// - Parameters:
    ///   - token: The token that gives access.
    ///   - file: The file with the sessions that were ended, or `nil` for none.
    init(of token: AccessToken, endedIn file: String? = nil) {
        key = Array(token.secret.utf8)
        ended = EndedSessions(in: file)
    }

    /// Begins a session, and returns its id.
    func begin(at now: Date = Date()) -> String {
        let session = BrowserSession(expiry: UInt64(now.timeIntervalSince1970) + UInt64(Self.seconds))
        return session.payload + signature(of: session)
    }

    /// Ends a session, and returns whether it also stays ended after a restart.
    func end(_ id: String, at now: Date = Date()) async -> Bool {
        // A session that has ended is saved again: the first attempt may have failed.
        guard let session = session(id, at: now) else { return true }
        return await ended.add(session, at: UInt64(now.timeIntervalSince1970))
    }

    /// Returns whether a session has this id.
    func contains(_ id: String, at now: Date = Date()) -> Bool {
        session(id, at: now).map { !ended.contains($0) } ?? false
    }

    /// Returns the session with an id, also if it was ended before it expires.
    private func session(_ id: String, at now: Date) -> BrowserSession? {
        guard id.utf8.count == BrowserSession.payloadLength + Self.signatureLength else { return nil }
        let payload = String(decoding: id.utf8.prefix(BrowserSession.payloadLength), as: UTF8.self)
        guard let session = BrowserSession(payload: payload) else { return nil }
        let claimed = Array(id.utf8.suffix(Self.signatureLength))
        guard ConstantTime.areEqual(claimed, Array(signature(of: session).utf8)),
            UInt64(now.timeIntervalSince1970) < session.expiry
        else { return nil }
        return session
    }

    private func signature(of session: BrowserSession) -> String {
        var bytes = [UInt8](repeating: 0, count: Self.signatureLength / 2)
        key.withUnsafeBytes { key in
            bytes.withUnsafeMutableBytes { target in
                HKDF.derive(
                    from: key,
                    salt: Array("hap-browser-session".utf8),
                    info: Array(session.payload.utf8),
                    into: target
                )
            }
        }
        return bytes.map(\.paddedHexadecimal).joined()
    }
}
