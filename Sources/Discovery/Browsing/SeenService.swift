/// A service's name, as it was seen on one interface and over one protocol.
struct SeenService: Sendable, Hashable {
    let name: String
    /// The number of the interface; −1 stands for all.
    let interface: Int32
    /// IPv4 or IPv6 as Avahi numbers them; −1 stands for both.
    let family: Int32
}
