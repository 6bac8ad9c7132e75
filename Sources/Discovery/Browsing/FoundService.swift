/// A service that was found on the network and looked up.
package struct FoundService: Sendable, Hashable {
    /// The name under which it appears.
    package var name: String
    /// The machine's name, such as `garage.local`.
    package var host: String
    /// Its address as text, IPv4 or IPv6 without a zone.
    package var address: String
    /// The port.
    package var port: UInt16
    /// Its text.
    package var text: TXTRecord

    /// Creates one.
    package init(name: String, host: String, address: String, port: UInt16, text: TXTRecord) {
        self.name = name
        self.host = host
        self.address = address
        self.port = port
        self.text = text
    }
}
