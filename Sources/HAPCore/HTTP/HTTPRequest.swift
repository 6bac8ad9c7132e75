/// A request, complete with its body.
///
/// HAP: §10
package struct HTTPRequest: Sendable, Hashable {
    package var method: HTTPMethod
    /// What the path names, `nil` for a path that this protocol does not know.
    package var endpoint: HAPEndpoint?
    /// A path that is not known, in printable ASCII, for a log line; empty for a known one, which costs no string.
    package var path: String
    /// What follows the question mark, still escaped; empty without one.
    package var query: [UInt8]
    package var body: [UInt8]

    /// The path that was asked for, for a log.
    package var pathText: String {
        endpoint?.path ?? path
    }

    /// A request for a known path.
    package init(_ method: HTTPMethod, _ endpoint: HAPEndpoint, query: [UInt8] = [], body: [UInt8] = []) {
        self.method = method
        self.endpoint = endpoint
        path = ""
        self.query = query
        self.body = body
    }

    /// A request for any path, which may turn out to be a known one.
    package init(_ method: HTTPMethod, path: String, query: [UInt8] = [], body: [UInt8] = []) {
        self.method = method
        endpoint = HAPEndpoint(path: Array(path.utf8))
        self.path = endpoint == nil ? path : ""
        self.query = query
        self.body = body
    }

    init(method: HTTPMethod, path: Span<UInt8>, query: Span<UInt8>) {
        self.method = method
        endpoint = HAPEndpoint(path: path)
        self.path = endpoint == nil ? path.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } : ""
        self.query = query.isEmpty ? [] : query.withUnsafeBufferPointer { Array($0) }
        body = []
    }
}
