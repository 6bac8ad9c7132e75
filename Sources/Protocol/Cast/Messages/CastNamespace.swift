/// The namespaces that every receiver has.
///
/// See `docs/cast.md`.
package enum CastNamespace {
    package static let prefix = "urn:x-cast:com.google.cast."
    package static let connection = prefix + "tp.connection"
    package static let heartbeat = prefix + "tp.heartbeat"
    package static let deviceAuthentication = prefix + "tp.deviceauth"
    package static let receiver = prefix + "receiver"
    package static let media = prefix + "media"
    package static let discovery = prefix + "receiver.discovery"
    package static let setup = prefix + "setup"

    /// The beginning of every namespace, also those of apps.
    package static let start = "urn:x-cast:"
}

/// The ids of what messages come from and go to.
package enum CastID {
    /// The receiver itself, not one of its apps.
    package static let receiver = "receiver-0"
    /// All senders.
    package static let everyone = "*"
}
