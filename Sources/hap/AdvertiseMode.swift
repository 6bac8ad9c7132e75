import ArgumentParser

/// Whether a server announces itself on the network.
enum AdvertiseMode: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// When a daemon answers; the server runs either way.
    case auto
    /// Or fail when no daemon answers.
    case on
    /// Not at all.
    case off
}
