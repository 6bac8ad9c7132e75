/// A service that was found on the network and resolved.
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

    /// Reads the body of the daemon's answer to `ResolveService`; `nil` when it is another one.
    init?(answer body: [UInt8]) {
        var reader = BusReader(body)
        guard reader.integer() != nil, reader.integer() != nil, let name = reader.string(), reader.string() != nil,
            reader.string() != nil, let host = reader.string(), reader.integer() != nil, let address = reader.string(),
            let port = reader.unsigned16(), let strings = reader.byteArrays()
        else { return nil }
        let wire = strings.flatMap { [UInt8(clamping: min($0.count, 255))] + $0.prefix(255) }
        self.init(name: name, host: host, address: address, port: port, text: TXTRecord(wireBytes: wire))
    }
}
