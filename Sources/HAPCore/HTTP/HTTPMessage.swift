/// What an accessory sends: a response or an event, complete with its body.
///
/// HAP: §10, §14
package struct HTTPMessage: Sendable, Hashable {
    /// Which of the two.
    package enum Kind: Sendable, Hashable {
        case response
        case event
    }

    package var kind: Kind
    /// Three digits, of which this protocol knows those of ``HTTPStatus``.
    package var status: Int
    /// The media type, `nil` when it is missing or not one of this protocol's.
    package var contentType: HTTPContentType?
    package var body: [UInt8]

    package init(_ kind: Kind, status: Int, contentType: HTTPContentType? = nil, body: [UInt8] = []) {
        self.kind = kind
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}
