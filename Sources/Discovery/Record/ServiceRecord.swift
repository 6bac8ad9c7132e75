/// One service as it is put on the network: type `_hap._tcp`, this name, this port, this text.
///
/// HAP: §2
package struct ServiceRecord: Sendable, Hashable {
    /// The name under which it appears.
    package var name: InstanceName
    /// The TCP port on which the server listens.
    package var port: UInt16
    /// The text.
    package var text: TXTRecord

    /// The type of every HAP accessory server over IP.
    package static let type = "_hap._tcp"

    /// Creates a record.
    package init(name: InstanceName, port: UInt16, text: TXTRecord) {
        self.name = name
        self.port = port
        self.text = text
    }

    /// Whether the other one has the same name and port, so that it differs in its text at most.
    package func hasPlace(of other: ServiceRecord) -> Bool {
        name == other.name && port == other.port
    }
}
