internal import HAPCore
internal import HTTPTypes

/// The random secret of a state folder that gives access to the API over TCP.
package struct AccessToken: Sendable {
    private let text: String

    private init(digits: String) {
        text = digits
    }

    /// Creates a token from its text; returns `nil` unless it has the form of a token.
    package init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    /// Creates a random token of 256 bits.
    package static func random(using generator: inout some RandomNumberGenerator) -> AccessToken {
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return AccessToken(digits: bytes.map(\.paddedHexadecimal).joined())
    }

    /// The text for the link and the file.
    ///
    /// It must not appear anywhere else.
    package var secret: String { text }

    /// Compares the token with a text in constant time.
    func matches(_ other: String) -> Bool {
        ConstantTime.areEqual(Array(text.utf8), Array(other.utf8))
    }
}

extension AccessToken: CustomStringConvertible {
    /// A placeholder, so that a token is never printed.
    package var description: String { "(token)" }
}

/// The checks of a request that arrived over TCP, where every user of the machine and every web page can send one.
struct AccessControl: Sendable {
    let token: AccessToken
    let sessions: BrowserSessions
    /// The port on which requests arrive, which is part of the cookie's name because browsers share cookies between
    /// ports.
    var port: Int

    /// - Parameter endedSessions: The file with the sessions that were ended, or `nil` for none.
    init(_ token: AccessToken, port: Int = 0, endedSessions: String? = nil) {
        self.token = token
        self.port = port
        sessions = BrowserSessions(of: token, endedIn: endedSessions)
    }

    /// The name of the cookie with the id of a session.
    var cookieName: String { "hap-\(port)" }

    /// Refuses requests of other web pages, and requests whose host is a name.
    ///
    /// A page of another site can make a browser send requests here, and its name can be made to resolve to this
    /// machine (DNS rebinding). But the browser always sends the name of the page's site as Host or as Origin, and
    /// Origin is part of every request that changes something.
    static func checkSource(_ request: WebRequest) throws {
        let host = request.authority ?? ""
        guard isAllowed(host: host) else {
            throw Problem(
                .misdirectedRequest,
                "unknown-host",
                "The host of the request is not an address of this machine; use localhost or the address."
            )
        }
        if let origin = request.headerFields[.origin], origin != "http://\(host)" {
            throw Problem.foreignPage
        }
        if let site = request.headerFields[.secFetchSite], site != "same-origin", site != "none" {
            throw Problem.foreignPage
        }
    }

    /// Refuses requests without the token.
    func checkToken(_ request: WebRequest) throws {
        if let authorization = request.headerFields[.authorization] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "bearer", token.matches(String(parts[1])) { return }
        }
        if sessionIDs(in: request.headerFields).contains(where: { sessions.contains($0) }) { return }
        throw Problem.tokenMissing
    }

    /// Returns whether a request has the token, or the cookie of a session.
    func allows(_ request: WebRequest) -> Bool {
        (try? checkToken(request)) != nil
    }

    /// Returns the ids of sessions in the cookies; a browser can have several cookies of the same name for one host.
    func sessionIDs(in fields: HTTPFields) -> [String] {
        fields[values: .cookie]
            .flatMap { $0.split(separator: ";") }
            .compactMap { cookie in
                let parts = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                return parts.count == 2 && parts[0] == cookieName ? String(parts[1]) : nil
            }
    }

    /// Returns whether a Host header names this machine by `localhost` or by an IP address.
    static func isAllowed(host: String) -> Bool {
        var name = Substring(host)
        if name.first == "[" {
            guard let end = name.firstIndex(of: "]") else { return false }
            let address = name[name.index(after: name.startIndex)..<end]
            let rest = name[name.index(after: end)...]
            let isPort = rest.isEmpty || rest.first == ":" && rest.dropFirst().allSatisfy(\.isNumber)
            return isPort && address.contains(":") && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        if let colon = name.lastIndex(of: ":") {
            guard name[name.index(after: colon)...].allSatisfy(\.isNumber) else { return false }
            name = name[..<colon]
        }
        if name.lowercased() == "localhost" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension Problem {
    static let tokenMissing = Problem(
        .unauthorized,
        "token-missing",
        "This needs the token from the printed link or from the file console.token; send it as \"Authorization: Bearer TOKEN\"."
    )
    static let foreignPage = Problem(
        .forbidden,
        "foreign-page",
        "The request comes from a page of another site, which may not use this API."
    )
}
