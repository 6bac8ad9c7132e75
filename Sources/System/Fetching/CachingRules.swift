internal import NIOHTTP1

/// How long a response may be used again.
package struct CachingRules: Sendable, Hashable {
    /// Whether the response may be stored.
    package var isStorable = true
    /// The time in seconds for which it is used without a question; `nil` if the server does not say.
    package var lifetime: Int?
    /// What the server wants to see in a question whether the response has changed.
    package var etag: String?

    /// The lifetime of a response without rules: a day, in seconds.
    package static let defaultLifetime = 86_400
    /// A longer lifetime is shortened to this: a year, in seconds.
    private static let maximumLifetime = 31_536_000
    private static let maximumETagLength = 256

    /// Reads the rules of a response: `Cache-Control` with `max-age`, `no-cache` and `no-store`, `Age`, and `ETag`.
    ///
    /// [RFC 9111](https://www.rfc-editor.org/rfc/rfc9111#name-cache-control)
    init(_ headers: HTTPHeaders) {
        let directives = headers[canonicalForm: "cache-control"].map { $0.lowercased() }
        let age = headers.first(name: "age").flatMap { Int($0) } ?? 0
        for directive in directives where directive.hasPrefix("max-age=") {
            lifetime = max(Self.seconds(directive.dropFirst(8)) - max(age, 0), 0)
        }
        // With or without the names of headers.
        if directives.contains(where: { $0.hasPrefix("no-cache") }) { lifetime = 0 }
        isStorable = !directives.contains("no-store")
        etag = headers.first(name: "etag")
            .flatMap { tag in
                let isUsable = tag.utf8.count <= Self.maximumETagLength && tag.utf8.allSatisfy { 0x20...0x7E ~= $0 }
                return isUsable ? tag : nil
            }
    }

    /// Reads a number of seconds, perhaps in quotes; what is not a number has expired.
    private static func seconds(_ text: Substring) -> Int {
        let digits = text.filter { $0 != "\"" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return 0 }
        return min(Int(digits) ?? maximumLifetime, maximumLifetime)
    }
}
