internal import HAPCore
internal import Synchronization

/// The sessions of browsers, each with a random id in a cookie.
///
/// Browsers send cookies to every port of a host, so another program of this machine could receive one. It would get an
/// id that ends with this process, and never the token.
final class BrowserSessions: Sendable {
    /// The maximum number of sessions; a new one beyond it ends the oldest.
    private static let maximumCount = 100

    private let ids = Mutex<[AccessToken]>([])

    /// Begins a session, and returns its id.
    func begin() -> AccessToken {
        var generator = SodiumRandomNumberGenerator()
        let id = AccessToken.random(using: &generator)
        ids.withLock { ids in
            ids.append(id)
            if ids.count > Self.maximumCount { ids.removeFirst() }
        }
        return id
    }

    /// Ends a session.
    func end(_ text: String) {
        ids.withLock { $0.removeAll { $0.matches(text) } }
    }

    /// Returns whether a session has this id.
    func contains(_ text: String) -> Bool {
        ids.withLock { ids in ids.reduce(false) { $1.matches(text) || $0 } }
    }
}
