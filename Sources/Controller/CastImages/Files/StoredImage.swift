internal import Fetching
internal import HAPCore

/// A picture as in a file of the cache, with what its server has said about it.
///
/// The file has a digest of all that follows, a line with a JSON object, and the picture.
struct StoredImage: Sendable, Hashable {
    let image: CachedImage
    var etag: String?
    /// Where the picture was found, perhaps after redirects.
    let source: String
    /// When its server has confirmed it, in seconds since 1970.
    var confirmed: Int
    /// For how long it is used after that, in seconds.
    var lifetime: Int

    /// The size that the digest and the object never exceed, in bytes.
    static let maximumOverhead = 16_384
    private static let newline = UInt8(ascii: "\n")

    init(_ image: CachedImage, _ rules: CachingRules, source: String, at now: Duration) {
        (self.image, self.source) = (image, source)
        etag = rules.etag
        confirmed = Int(now.components.seconds)
        lifetime = rules.lifetime ?? CachingRules.defaultLifetime
    }

    /// Whether the picture may be used without a question; not if it is from the future, so that the clock was wrong.
    func isFresh(at now: Duration) -> Bool {
        let age = Int(now.components.seconds) - confirmed
        return age >= 0 && age < lifetime
    }

    /// Whether there is a use for it after this moment.
    var isReusable: Bool { lifetime > 0 || etag != nil }

    /// Returns the picture with the rules of a response that it has not changed.
    func confirmed(_ rules: CachingRules, at now: Duration) -> StoredImage {
        var confirmed = self
        confirmed.confirmed = Int(now.components.seconds)
        confirmed.lifetime = rules.lifetime ?? lifetime
        confirmed.etag = rules.etag ?? etag
        return confirmed
    }

    /// The digest of bytes as 64 hexadecimal digits, which is also the name of a file.
    static func digest(_ bytes: some Sequence<UInt8>) -> String {
        SHA512.hash(Array(bytes)).prefix(32).map(\.paddedHexadecimal).joined()
    }

    /// Reads a file; returns `nil` if it is damaged.
    init?(file: [UInt8]) {
        let parts = file.split(separator: Self.newline, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, Self.digest(file[parts[1].startIndex...]) == String(decoding: parts[0], as: UTF8.self),
            let object = (try? JSONValue(parsing: Array(parts[1])))?.object,
            let source = object["source"]?.string,
            let confirmed = object["confirmed"]?.unsigned.flatMap({ Int(exactly: $0) }),
            let lifetime = object["lifetime"]?.unsigned.flatMap({ Int(exactly: $0) }),
            let image = CachedImage(Array(parts[2]))
        else { return nil }
        (self.image, self.source, self.confirmed, self.lifetime) = (image, source, confirmed, lifetime)
        etag = object["etag"]?.string
    }

    /// The content of the file.
    var file: [UInt8] {
        var object: JSONObject = [
            "source": .string(source), "confirmed": .number(JSONNumber(confirmed)),
            "lifetime": .number(JSONNumber(lifetime)),
        ]
        if let etag { object["etag"] = .string(etag) }
        let content = JSONValue.object(object).encoded + [Self.newline] + image.bytes
        return Array(Self.digest(content).utf8) + [Self.newline] + content
    }
}
