internal import CAvahiClient

/// A failure as Avahi numbers it.
struct AvahiCode: Error, Hashable {
    let rawValue: Int32

    init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    static let noMemory = AvahiCode(Int32(AVAHI_ERR_NO_MEMORY))
    static let noDaemon = AvahiCode(Int32(AVAHI_ERR_NO_DAEMON))
    /// The bus rejects this user, or it is not a bus.
    static let busError = AvahiCode(Int32(AVAHI_ERR_DBUS_ERROR))
    /// The daemon is older than the library.
    static let versionMismatch = AvahiCode(Int32(AVAHI_ERR_VERSION_MISMATCH))

    /// Whether it means too many connections rather than a missing daemon.
    var isLimit: Bool {
        [
            AVAHI_ERR_NO_MEMORY, AVAHI_ERR_TOO_MANY_CLIENTS, AVAHI_ERR_TOO_MANY_OBJECTS, AVAHI_ERR_ACCESS_DENIED,
        ]
        .contains { Int32($0) == rawValue }
    }

    /// Describes the failure.
    ///
    /// - Parameter bus: Whether the bus answers, which the library does not distinguish from other reasons.
    func discoveryError(bus: SystemBus.ProbeResult) -> DiscoveryError {
        switch bus {
        case .unavailable, .noDescriptors: bus.discoveryError
        case .available where self == .versionMismatch: .versionMismatch
        case .available where self == .busError: .busRefused
        case .available: isLimit ? .limit : .noDaemon
        }
    }
}
