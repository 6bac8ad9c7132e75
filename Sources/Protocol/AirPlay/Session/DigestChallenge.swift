internal import HAPCore

/// The challenge by which a sender of AirPlay 1 proves a password: HTTP Digest without a quality of protection.
///
/// [RFC 2617](https://www.rfc-editor.org/rfc/rfc2617#section-3.2)
struct DigestChallenge: Sendable {
    private let realm: String
    private let nonce: String

    init(realm: String, nonce: String) {
        (self.realm, self.nonce) = (realm, nonce)
    }

    /// The value of WWW-Authenticate; some senders need exactly these two fields in this order.
    var challenge: String { "Digest realm=\"\(realm)\", nonce=\"\(nonce)\"" }

    /// Returns whether a request proves the password.
    func isAnswered(by request: AirPlayRequest, password: String) -> Bool {
        guard let header = request.headers["Authorization"], header.hasPrefix("Digest ") else { return false }
        var fields: [Substring: Substring] = [:]
        for part in header.dropFirst("Digest ".count).split(separator: ",").prefix(16) {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            fields[pair[0].filterSpaces] = pair[1].filterSpaces.filterQuotes
        }
        guard let user = fields["username"], let uri = fields["uri"], let response = fields["response"],
            fields["nonce"].map({ $0 == nonce }) ?? false
        else { return false }
        guard let secret = MD5.hexadecimal("\(user):\(realm):\(password)"),
            let method = MD5.hexadecimal("\(request.method):\(uri)"),
            let expected = MD5.hexadecimal("\(secret):\(nonce):\(method)")
        else { return false }
        return ConstantTime.areEqual(Array(expected.utf8), Array(response.lowercased().utf8))
    }
}

extension Substring {
    fileprivate var filterSpaces: Substring {
        let start = drop { $0 == " " }
        return start[..<(start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex)]
    }

    fileprivate var filterQuotes: Substring {
        hasPrefix("\"") && hasSuffix("\"") && count >= 2 ? dropFirst().dropLast() : self
    }
}
