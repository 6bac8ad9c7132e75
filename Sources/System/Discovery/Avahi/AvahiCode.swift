internal import CAvahi

/// A failure, as an error code of Avahi.
struct AvahiCode: Error, Hashable {
    let rawValue: Int32

    init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    static let noMemory = AvahiCode(Int32(AVAHI_ERR_NO_MEMORY))
    static let noDaemon = AvahiCode(Int32(AVAHI_ERR_NO_DAEMON))
    /// The bus rejects this user, or the address is not that of a bus.
    static let busError = AvahiCode(Int32(AVAHI_ERR_DBUS_ERROR))
    /// The daemon is older than the library.
    static let versionMismatch = AvahiCode(Int32(AVAHI_ERR_VERSION_MISMATCH))

    /// Whether there are too many connections, rather than no daemon.
    var isLimit: Bool {
        [
            AVAHI_ERR_NO_MEMORY, AVAHI_ERR_TOO_MANY_CLIENTS, AVAHI_ERR_TOO_MANY_OBJECTS, AVAHI_ERR_ACCESS_DENIED,
        ]
        .contains { Int32($0) == rawValue }
    }

    /// Describes the failure.
    ///
    /// - Parameter bus: Whether the bus answers; the library reports the same code in either case.
    func discoveryError(bus: SystemBus.ProbeResult) -> DiscoveryError {
        switch bus {
        case .noDescriptors: bus.discoveryError
        case _ where !hap_avahi_load(): .noLibrary
        case .unavailable: bus.discoveryError
        case .available where self == .versionMismatch: .versionMismatch
        case .available where self == .busError: .busRefused
        case .available: isLimit ? .limit : .noDaemon
        }
    }
}
