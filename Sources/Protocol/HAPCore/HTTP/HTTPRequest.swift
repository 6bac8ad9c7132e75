/// A request, complete with its body.
///
/// HAP: §10
package struct HTTPRequest: Sendable, Hashable {
    package var method: HTTPMethod
    /// The endpoint of the path; `nil` for an unknown one.
    package var endpoint: HAPEndpoint?
    /// An unknown path in printable ASCII, for a log line; empty for a known path, so that no string is allocated.
    package var unknownPath: String
    /// The part after the question mark, still escaped; empty without one.
    package var query: [UInt8]
    package var body: [UInt8]

    /// The requested path, for a log.
    package var path: String {
        endpoint?.path ?? unknownPath
    }

    /// Creates a request for a known path.
    package init(_ method: HTTPMethod, _ endpoint: HAPEndpoint, query: [UInt8] = [], body: [UInt8] = []) {
        self.method = method
        self.endpoint = endpoint
        unknownPath = ""
        self.query = query
        self.body = body
    }

    /// Creates a request for any path, which may be a known one.
    package init(_ method: HTTPMethod, path: String, query: [UInt8] = [], body: [UInt8] = []) {
        self.method = method
        endpoint = HAPEndpoint(path: Array(path.utf8))
        self.unknownPath = endpoint == nil ? path : ""
        self.query = query
        self.body = body
    }

    init(method: HTTPMethod, path: Span<UInt8>, query: Span<UInt8>) {
        self.method = method
        endpoint = HAPEndpoint(path: path)
        self.unknownPath = endpoint == nil ? path.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } : ""
        self.query = query.isEmpty ? [] : query.withUnsafeBufferPointer { Array($0) }
        body = []
    }
}

/// The method of a request.
///
/// HAP: §10
public enum HTTPMethod: Sendable, Hashable {
    case get
    case post
    case put
    /// Another well-formed method, which HAP does not use.
    case other

    /// The method as in a request; "other" for a method that HAP does not use.
    package var name: String {
        self == .other ? "other" : token.description
    }

    /// Recognizes a method; the comparison is case-sensitive.
    init(_ token: Span<UInt8>) {
        if token.isEqual(to: "GET") {
            self = .get
        } else if token.isEqual(to: "PUT") {
            self = .put
        } else if token.isEqual(to: "POST") {
            self = .post
        } else {
            self = .other
        }
    }

    /// The method at the beginning of a request line.
    var token: StaticString {
        switch self {
        case .get: "GET"
        case .post: "POST"
        case .put: "PUT"
        case .other: "OTHER"
        }
    }
}

extension HTTPRequest {
    /// Appends the request in wire format, with the headers in the order in which iOS sends them.
    ///
    /// Some accessories answer 400 if `Content-Type` comes before `Content-Length`, or if the host has a port.
    ///
    /// - Parameter host: The accessory's address or name without a port; characters that a header cannot contain become
    ///   `?`.
    package func append(to bytes: inout [UInt8], host: String) {
        bytes.append(method.token)
        bytes.append(UInt8(ascii: " "))
        if let endpoint {
            bytes.append(contentsOf: endpoint.path.utf8)
        } else {
            Self.appendSanitized(unknownPath.utf8, to: &bytes)
        }
        if !query.isEmpty {
            bytes.append(UInt8(ascii: "?"))
            Self.appendSanitized(query, to: &bytes)
        }
        bytes.append(" HTTP/1.1\r\nHost: ")
        Self.appendSanitized(host.utf8, to: &bytes)
        bytes.append("\r\n")
        if method != .get || !body.isEmpty {
            bytes.append("Content-Length: ")
            bytes.appendDecimal(UInt64(body.count))
            bytes.append("\r\n")
        }
        if let contentType, !body.isEmpty {
            bytes.append("Content-Type: ")
            bytes.append(contentType.text)
            bytes.append("\r\n")
        }
        bytes.append("\r\n")
        bytes.append(contentsOf: body)
    }

    private var contentType: HTTPContentType? {
        switch endpoint {
        case .pairSetup, .pairVerify, .pairings: .pairingTLV8
        case .identify, .accessories, .characteristics, .prepare, .resource: .hapJSON
        case .secureMessage, .configured, nil: nil
        }
    }

    /// Appends a host without characters that a header cannot contain.
    ///
    /// A name from discovery may contain anything; a line break in it would start another header.
    private static func appendSanitized(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        for byte in text {
            bytes.append(0x21...0x7E ~= byte ? byte : UInt8(ascii: "?"))
        }
    }
}
