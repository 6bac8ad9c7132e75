/// A service as the daemon has confirmed it, and as it should be found.
package struct PublishedService: Sendable, Hashable {
    /// The name, which the daemon may have changed.
    package var name: String
    /// The TCP port on which the server listens.
    package var port: UInt16
    /// The text that was sent last.
    package var text: TXTRecord

    /// Creates one.
    package init(name: String, port: UInt16, text: TXTRecord) {
        self.name = name
        self.port = port
        self.text = text
    }

    /// What a lookup has found, without its place.
    package init(_ service: FoundService) {
        self.init(name: service.name, port: service.port, text: service.text)
    }

    /// Whether the other one says the same, in whatever order its text comes.
    package func agrees(with other: PublishedService) -> Bool {
        name == other.name && port == other.port && Set(text.items) == Set(other.text.items)
    }
}
