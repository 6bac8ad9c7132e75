internal import Foundation
internal import HAPCore
internal import Synchronization

/// The sessions of browsers, each with an id in a cookie.
///
/// Browsers send cookies to every port of a host, so another program of this machine could receive one. It would get an
/// id that expires, and never the token. An id has a time and a signature by a key that is derived from the token, so
/// that it is valid after a restart without being stored.
final class BrowserSessions: Sendable {
    /// The seconds for which a session is valid: 7 days.
    static let seconds = 604_800
    /// The maximum number of ended sessions that are remembered; the signature of older ones is valid again.
    private static let maximumEnded = 1_000
    /// The lengths in hexadecimal digits: a random number and the time of expiry, then the signature.
    private static let payloadLength = 48
    private static let signatureLength = 64

    private let key: [UInt8]
    private let ended = Mutex<[String]>([])

    init(of token: AccessToken) {
        key = Array(token.secret.utf8)
    }

    /// Begins a session, and returns its id.
    func begin(at now: Date = Date()) -> String {
        var generator = SodiumRandomNumberGenerator()
        let numbers = [generator.next(), generator.next(), UInt64(now.timeIntervalSince1970) + UInt64(Self.seconds)]
        let payload = numbers.map { Self.hexadecimal($0) }.joined()
        return payload + signature(of: payload)
    }

    /// Ends a session.
    func end(_ id: String) {
        guard contains(id) else { return }
        ended.withLock { ended in
            ended.append(id)
            if ended.count > Self.maximumEnded { ended.removeFirst() }
        }
    }

    /// Returns whether a session has this id.
    func contains(_ id: String, at now: Date = Date()) -> Bool {
        guard id.utf8.count == Self.payloadLength + Self.signatureLength else { return false }
        let payload = String(decoding: id.utf8.prefix(Self.payloadLength), as: UTF8.self)
        let claimed = Array(id.utf8.suffix(Self.signatureLength))
        guard ConstantTime.areEqual(claimed, Array(signature(of: payload).utf8)),
            let expiry = UInt64(payload.suffix(16), radix: 16), UInt64(now.timeIntervalSince1970) < expiry
        else { return false }
        return !ended.withLock { $0.contains(id) }
    }

    private func signature(of payload: String) -> String {
        var bytes = [UInt8](repeating: 0, count: Self.signatureLength / 2)
        key.withUnsafeBytes { key in
            bytes.withUnsafeMutableBytes { target in
                HKDF.derive(from: key, salt: Array("hap-browser-session".utf8), info: Array(payload.utf8), into: target)
            }
        }
        return bytes.map { Self.hexadecimal($0) }.joined()
    }

    private static func hexadecimal(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
    }
}
