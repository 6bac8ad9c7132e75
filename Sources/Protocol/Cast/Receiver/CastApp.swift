/// An app that a receiver can run.
package struct CastApp: Sendable, Hashable {
    package var id: String
    package var name: String
    /// Its own namespaces, each beginning with `urn:x-cast:`.
    package var ownNamespaces: [String]
    /// Whether it plays media.
    package var playsMedia: Bool
    /// Whether senders can change the rate of what it plays.
    package var allowsRates: Bool
    /// What it answers to messages in its own namespaces; the first pattern that fits decides.
    package var replies: [CastReply]

    package init(
        id: String,
        name: String,
        ownNamespaces: [String] = [],
        playsMedia: Bool = true,
        allowsRates: Bool = true,
        replies: [CastReply] = []
    ) {
        (self.id, self.name, self.ownNamespaces) = (id, name, ownNamespaces)
        (self.playsMedia, self.allowsRates, self.replies) = (playsMedia, allowsRates, replies)
    }

    /// Google's app that plays any address.
    package static let defaultMediaReceiver = CastApp(id: "CC1AD845", name: "Default Media Receiver")

    package var namespaces: [String] { (playsMedia ? [CastNamespace.media] : []) + ownNamespaces }
}

/// A rule by which an app answers a message in one of its namespaces.
package struct CastReply: Sendable, Hashable {
    /// The text of the message, in which `*` stands for anything.
    package var pattern: String
    /// The answer, in which `{message}` stands for the text of the message.
    package var text: String

    package init(pattern: String, text: String) {
        (self.pattern, self.text) = (pattern, text)
    }

    /// Returns the answer to a message, or `nil` if the pattern does not fit, or the answer is too long to be sent.
    package func answer(to message: String) -> String? {
        guard Self.fits(Array(message.utf8), Array(pattern.utf8)) else { return nil }
        let parts = Self.parts(Array(text.utf8), between: Array("{message}".utf8))
        let length = parts.reduce((parts.count - 1) * message.utf8.count) { $0 + $1.count }
        guard length < CastFrameDecoder.maximumLength else { return nil }
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: message)
    }

    private static func fits(_ message: [UInt8], _ pattern: [UInt8]) -> Bool {
        let parts = pattern.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return message == pattern }
        guard message.starts(with: first) else { return false }
        var rest = message.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let place = rest.firstRange(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.count >= last.count && rest.suffix(last.count) == last
    }

    /// Returns what is between the occurrences of a mark.
    private static func parts(_ text: [UInt8], between mark: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var rest = text[...]
        while let place = rest.firstRange(of: mark) {
            parts.append(rest[..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        return parts + [rest]
    }
}

/// Deliberate misbehavior while a message is handled.
package struct CastFaults: Sendable, Hashable {
    /// A LOAD fails with this number of Google's table of errors.
    package var loadFailure: Int?
    /// A LAUNCH takes this much longer.
    package var launchDelay = Duration.zero
    /// A LAUNCH is refused.
    package var isBusy = false
    /// An answer has another request id than the request.
    package var hasWrongRequestID = false
    /// A volume that a sender writes is ignored.
    package var ignoresVolume = false

    package init() {}

    package static let none = CastFaults()
}

/// A sender: an id within a connection.
package struct CastPeer: Sendable, Hashable {
    /// The number of the connection.
    package let connection: UInt64
    package let id: String

    package init(connection: UInt64, id: String) {
        (self.connection, self.id) = (connection, id)
    }
}
