internal import AsyncPrimitives
internal import Discovery
internal import NIOCore

/// What an accessory announces while somebody listens.
struct Announcements {
    /// Where it is, and the number of its database.
    struct Announcement: Hashable {
        /// The machine's name, and its addresses.
        var hosts: [String]
        var port: UInt16
        var configurationNumber: UInt64?
        var name: String

        init(_ accessory: DiscoveredAccessory) {
            hosts = accessory.addresses
            port = accessory.port
            configurationNumber = accessory.configurationNumber.map { UInt64($0) }
            name = accessory.name
        }

        var places: [AccessoryPlace] {
            hosts.map {
                AccessoryPlace(host: $0, port: port, configurationNumber: configurationNumber, name: name)
            }
        }
    }

    /// Who listens, `nil` while nobody does.
    var listener: Task<Void, Never>?
    /// What was announced last, `nil` before the first time.
    var latest: Announcement?
    /// Set with the first announcement, or when it is waited for no longer; `nil` from then on.
    var first: OneShot<Void>?
    /// Ends that waiting.
    var timer: Scheduled<Void>?
    /// Where the session leads that is being checked, or was found silent: not where the next one is opened.
    var doubted: AccessoryPlace?
    /// The places that differ from the session's while it answers all the same.
    var passedOver: [AccessoryPlace]?
}
