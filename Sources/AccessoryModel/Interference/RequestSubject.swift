public import HAPCore

/// What a request is about, as far as faults tell requests apart.
public struct RequestSubject: Sendable, Hashable {
    /// The method, such as `GET`.
    public var method: HTTPMethod
    /// The path without its query.
    public var path: String
    /// The characteristics that are read or written; empty for requests of another kind, and for what cannot be read.
    public var characteristics: [CharacteristicID]

    /// Creates a subject.
    public init(_ method: HTTPMethod, path: String, characteristics: [CharacteristicID] = []) {
        self.method = method
        self.path = path
        self.characteristics = characteristics
    }
}

extension RequestSubject: CustomStringConvertible {
    /// Method and path.
    public var description: String {
        let method =
            switch method {
            case .get: "GET"
            case .post: "POST"
            case .put: "PUT"
            case .other: "another request for"
            }
        return "\(method) \(path)"
    }
}
