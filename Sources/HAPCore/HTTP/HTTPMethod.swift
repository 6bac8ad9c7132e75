/// The method of a request.
///
/// HAP: §10
public enum HTTPMethod: Sendable, Hashable {
    case get
    case post
    case put
    /// Well-formed, and of no use here.
    case other

    /// Recognises a method.
    ///
    /// Letter case counts.
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

    /// What a request line begins with.
    var token: StaticString {
        switch self {
        case .get: "GET"
        case .post: "POST"
        case .put: "PUT"
        case .other: "OTHER"
        }
    }
}
