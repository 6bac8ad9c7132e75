/// The reason why a document was not fetched.
package enum FetchError: Error, Sendable, Hashable {
    /// The host of the URL, or of a redirect, has this address, which is not one of the public Internet.
    case refusedAddress(String)
    /// The server has sent a document of this media type, which the caller does not accept; `nil` if it did not say.
    case refusedType(String?)
    /// The document has more bytes than this limit.
    case tooLarge(limit: Int)
    /// The server has answered with this HTTP status, such as 404.
    case status(Int)
    /// The document was not complete within this time.
    case timedOut(Duration)
    /// The server redirects more often than this.
    case tooManyRedirects(limit: Int)
    /// The URL of the document, or of a redirect, cannot be used, for this reason.
    case invalidURL(String)
    /// The host cannot be reached, or the connection has ended too early, for this reason.
    case unreachable(String)
    /// The task was cancelled.
    case cancelled
}

extension FetchError: CustomStringConvertible {
    /// A sentence.
    package var description: String {
        switch self {
        case .refusedAddress(let address): "The document is at \(address), which is not a public address."
        case .refusedType(let type?): "The server has sent a document of the type \(type)."
        case .refusedType(nil): "The server has sent a document without a type."
        case .tooLarge(let limit): "The document has more than \(limit) bytes."
        case .status(let code): "The server has answered with the HTTP status \(code)."
        case .timedOut(let limit): "The document was not loaded within \(limit)."
        case .tooManyRedirects(let limit): "The server redirects more than \(limit) times."
        case .invalidURL(let reason): "The URL of the document cannot be used: \(reason)."
        case .unreachable(let reason): "The document cannot be loaded: \(reason)."
        case .cancelled: "It was cancelled."
        }
    }
}
