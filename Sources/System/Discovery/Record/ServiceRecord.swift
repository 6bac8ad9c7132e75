/// A service to register, with type, name, port and text.
package struct ServiceRecord: Sendable, Hashable {
    /// The type, such as `_hap._tcp`.
    package let type: String
    /// The name under which it appears.
    package var name: InstanceName
    /// The TCP port on which the server listens.
    package var port: UInt16
    /// The text.
    package var text: TXTRecord
    /// The index of the only interface on which it appears; 0 for all interfaces.
    package let interface: UInt32

    /// The type of every HAP accessory server over IP.
    ///
    /// HAP: §2
    package static let accessoryServerType = "_hap._tcp"

    /// Creates a record.
    package init(
        type: String = accessoryServerType,
        name: InstanceName,
        port: UInt16,
        text: TXTRecord,
        interface: UInt32 = 0
    ) {
        (self.type, self.name, self.port) = (type, name, port)
        (self.text, self.interface) = (text, interface)
    }

    /// Returns whether the other record has the same name and port, so that they differ at most in the text.
    package func hasSameNameAndPort(as other: ServiceRecord) -> Bool {
        name == other.name && port == other.port
    }
}

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

    /// Creates a service from the result of a lookup.
    package init(_ service: ResolvedService) {
        self.init(name: service.name, port: service.port, text: service.text)
    }

    /// Returns whether the other service is the same, regardless of the order of the items in its text.
    package func matches(_ other: PublishedService) -> Bool {
        name == other.name && port == other.port && Set(text.items) == Set(other.text.items)
    }
}
