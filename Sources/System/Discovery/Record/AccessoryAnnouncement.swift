package import HAPCore

/// The announcement of an accessory server.
///
/// HAP: §2
package struct AccessoryAnnouncement: Sendable, Hashable {
    /// The name that users see.
    package var name: InstanceName
    /// The TCP port on which the server listens.
    package var port: UInt16
    /// `id`: the device ID.
    package var deviceID: DeviceID
    /// `md`: the model of the primary accessory.
    ///
    /// It is truncated if it does not fit into 255 bytes with its key.
    package var model: String
    /// `c#`: the configuration number, from 1 to 65535; 0 is announced as 1.
    package var configurationNumber: UInt16
    /// `ci`: the category of the primary accessory.
    package var category: AccessoryCategory
    /// `sh`: the setup hash in Base64; `nil` omits the key.
    package var setupHash: String?
    /// `sf`: whether an admin is paired.
    ///
    /// Becomes `true` only after M6 has been written completely.
    package var isPaired: Bool

    /// Creates an announcement.
    package init(
        name: InstanceName,
        port: UInt16,
        deviceID: DeviceID,
        model: String,
        configurationNumber: UInt16,
        category: AccessoryCategory,
        setupHash: String?,
        isPaired: Bool
    ) {
        self.name = name
        self.port = port
        self.deviceID = deviceID
        self.model = model
        self.configurationNumber = configurationNumber
        self.category = category
        self.setupHash = setupHash
        self.isPaired = isPaired
    }

    /// The record, with its keys always in the same order.
    package var record: ServiceRecord {
        record()
    }

    /// Returns the record with some values replaced, for fault injection.
    package func record(
        configurationNumber otherNumber: UInt16? = nil,
        statusFlags: UInt8? = nil,
        port otherPort: UInt16? = nil
    ) -> ServiceRecord {
        var text = TXTRecord()
        text.append("c#", String(otherNumber ?? max(configurationNumber, 1)))
        // Bit 0 would make controllers require Apple's authentication, which this server does not have.
        text.append("ff", "0")
        text.append("id", deviceID.text)
        text.append("md", model)
        text.append("pv", "1.1")
        text.append("s#", "1")
        text.append("sf", statusFlags.map(String.init) ?? (isPaired ? "0" : "1"))
        text.append("ci", String(category.rawValue))
        if let setupHash {
            text.append("sh", setupHash)
        }
        return ServiceRecord(name: name, port: otherPort ?? port, text: text)
    }
}
