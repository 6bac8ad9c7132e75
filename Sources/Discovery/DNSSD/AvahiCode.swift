internal import CAvahiClient

/// A failure as Avahi numbers it.
struct AvahiCode: Error, Hashable {
    let rawValue: Int32

    init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    static let noMemory = AvahiCode(Int32(AVAHI_ERR_NO_MEMORY))

    /// Whether it tells of too many connections rather than of a daemon that is not there.
    var isLimit: Bool {
        [
            AVAHI_ERR_NO_MEMORY, AVAHI_ERR_TOO_MANY_CLIENTS, AVAHI_ERR_TOO_MANY_OBJECTS, AVAHI_ERR_ACCESS_DENIED,
        ]
        .contains { Int32($0) == rawValue }
    }
}
