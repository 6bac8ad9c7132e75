internal import Fetching

/// The reason why there is no picture.
public enum CastImageError: Error, Sendable, Hashable {
    /// The host of the URL, or of a redirect, has this address, which is not one of the public Internet.
    case refusedAddress(String)
    /// The server has sent something else than a PNG, JPEG, GIF, WebP or BMP picture.
    case notAnImage
    /// The picture has more bytes than this limit.
    case tooLarge(limit: Int)
    /// The server has answered with this HTTP status, such as 404.
    case status(Int)
    /// The picture was not complete within this time.
    case timedOut(Duration)
    /// The server redirects more often than this.
    case tooManyRedirects(limit: Int)
    /// The URL of the picture, or of a redirect, cannot be used, for this reason.
    case invalidURL(String)
    /// The host cannot be reached, or the connection has ended too early, for this reason.
    case unreachable(String)
    /// The task was cancelled.
    case cancelled
}

extension CastImageError {
    /// Creates the reason from that of the fetcher.
    init(_ error: FetchError) {
        self =
            switch error {
            case .refusedAddress(let address): .refusedAddress(address)
            case .refusedType: .notAnImage
            case .tooLarge(let limit): .tooLarge(limit: limit)
            case .status(let code): .status(code)
            case .timedOut(let limit): .timedOut(limit)
            case .tooManyRedirects(let limit): .tooManyRedirects(limit: limit)
            case .invalidURL(let reason): .invalidURL(reason)
            case .unreachable(let reason): .unreachable(reason)
            case .cancelled: .cancelled
            }
    }
}

extension CastImageError: CustomStringConvertible {
    /// A sentence.
    public var description: String {
        switch self {
        case .refusedAddress(let address): "The picture is at \(address), which is not a public address."
        case .notAnImage: "The server has not sent a PNG, JPEG, GIF, WebP or BMP picture."
        case .tooLarge(let limit): "The picture has more than \(limit) bytes."
        case .status(let code): "The server has answered with the HTTP status \(code)."
        case .timedOut(let limit): "The picture was not loaded within \(limit)."
        case .tooManyRedirects(let limit): "The server redirects more than \(limit) times."
        case .invalidURL(let reason): "The URL of the picture cannot be used: \(reason)."
        case .unreachable(let reason): "The picture cannot be loaded: \(reason)."
        case .cancelled: "It was cancelled."
        }
    }
}
