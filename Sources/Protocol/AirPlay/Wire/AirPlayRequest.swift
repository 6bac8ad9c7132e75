/// A request of a sender, or one of the receiver on the event channel: RTSP 1.0 or HTTP 1.1.
///
/// See `docs/airplay.md`.
package struct AirPlayRequest: Sendable, Hashable {
    package enum Version: String, Sendable, Hashable {
        case rtsp = "RTSP/1.0"
        case http = "HTTP/1.1"
    }

    package var method: String
    /// The target as it was sent: a path with a query, or a URL with the scheme `rtsp`.
    package var target: String
    package var version: Version
    package var headers: AirPlayHeaders
    package var body: [UInt8]

    package init(
        _ method: String,
        _ target: String,
        _ version: Version = .rtsp,
        _ headers: AirPlayHeaders = [:],
        _ body: [UInt8] = []
    ) {
        (self.method, self.target, self.version) = (method, target, version)
        (self.headers, self.body) = (headers, body)
    }

    /// The path without the query, such as `/pair-setup`.
    package var path: Substring {
        let start = target.hasPrefix("rtsp://") ? target.dropFirst(7).drop { $0 != "/" } : target[...]
        return start.prefix { $0 != "?" }
    }

    /// Returns a parameter of the query, such as that of `/rate?value=1.0`.
    package func query(_ name: String) -> Substring? {
        guard let mark = target.firstIndex(of: "?") else { return nil }
        for pair in target[mark...].dropFirst().split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.first.map({ $0 == name }) ?? false { return parts.dropFirst().first ?? "" }
        }
        return nil
    }

    /// The media type of the body without parameters, in lowercase letters; empty without one.
    package var contentType: String {
        (headers["Content-Type"] ?? "").prefix { $0 != ";" && $0 != " " }.lowercased()
    }

    /// The bytes that are sent.
    package var bytes: [UInt8] { headers.message("\(method) \(target) \(version.rawValue)", body) }
}

/// The answer to a request.
package struct AirPlayResponse: Sendable, Hashable {
    package var status: Int
    package var headers: AirPlayHeaders
    package var body: [UInt8]

    package init(_ status: Int = 200, _ headers: AirPlayHeaders = [:], _ body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// Creates an answer with a body of a media type.
    package init(_ type: String, _ body: [UInt8]) {
        self.init(200, ["Content-Type": type], body)
    }

    /// Returns the bytes that are sent: with the protocol and the number of the request.
    ///
    /// - Parameter server: The value of the header Server.
    package func bytes(for request: AirPlayRequest, server: String) -> [UInt8] {
        var all: AirPlayHeaders = ["Server": server]
        if let number = request.headers["CSeq"] { all["CSeq"] = number }
        for field in headers.fields { all[field.name] = field.value }
        return all.message("\(request.version.rawValue) \(status) \(Self.reasons[status] ?? "Error")", body)
    }

    /// The reason phrases of the statuses that are sent.
    private static let reasons = [
        200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 413: "Content Too Large", 415: "Unsupported Media Type", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 453: "Not Enough Bandwidth", 454: "Session Not Found",
        455: "Method Not Valid in This State", 461: "Unsupported Transport", 470: "Connection Authorization Required",
        500: "Internal Error", 501: "Not Implemented", 503: "Service Unavailable", 505: "Version Not Supported",
    ]

    package static let ok = AirPlayResponse()
}

/// The header fields of a message in their order, whose names are compared without the case of letters.
package struct AirPlayHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    package private(set) var fields: [Field] = []

    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a field; of several fields with a name, the last one.
    package subscript(name: String) -> String? {
        get { fields.last { $0.name.isSameHeaderName(as: name) }?.value }
        set {
            fields.removeAll { $0.name.isSameHeaderName(as: name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Returns the bytes of a message; line breaks in values are left out.
    fileprivate func message(_ firstLine: String, _ body: [UInt8]) -> [UInt8] {
        var head = firstLine + "\r\n"
        for field in fields where !field.name.isSameHeaderName(as: "Content-Length") {
            head += "\(field.name): \(field.value.filter { !$0.isNewline })\r\n"
        }
        head += "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}

extension AirPlayHeaders.Field {
    package init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }
}

extension String {
    fileprivate func isSameHeaderName(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
