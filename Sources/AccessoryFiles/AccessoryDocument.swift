package import AccessoryModel
package import HAPCore

/// What a file says of one server: a stand-alone accessory, or a bridge with what is behind it.
///
/// The same for every kind of file, so that each readable kind can be served and converted to each writable one.
package struct AccessoryDocument: Sendable, Hashable {
    /// What the server's state is kept under.
    package var key: String
    /// The name, for people and on the network.
    package var name: String
    /// What a controller takes it for while it pairs.
    package var category: AccessoryCategory
    /// In the order in which they are served; the first of a definition is the primary one, or the bridge.
    package var accessories: [FileAccessory]
    /// The device ID at the first start.
    package var deviceID: DeviceID?
    /// The setup code.
    package var setupCode: SetupCode?
    /// The setup ID at the first start.
    package var setupID: SetupID?
    /// The configuration number at the first start.
    package var configurationNumber: UInt16?
    /// Whether it is served as it stands, faults included, because it is a picture of a real device.
    package var isVerbatim: Bool

    /// Creates a document.
    package init(
        key: String,
        name: String,
        category: AccessoryCategory,
        accessories: [FileAccessory],
        deviceID: DeviceID? = nil,
        setupCode: SetupCode? = nil,
        setupID: SetupID? = nil,
        configurationNumber: UInt16? = nil,
        isVerbatim: Bool = false
    ) {
        self.key = key
        self.name = name
        self.category = category
        self.accessories = accessories
        self.deviceID = deviceID
        self.setupCode = setupCode
        self.setupID = setupID
        self.configurationNumber = configurationNumber
        self.isVerbatim = isVerbatim
    }

    /// The accessories as a server takes them; with `isSimulated`, each service with the behaviour it asks for.
    ///
    /// - Parameter seed: What the chance of all of them is drawn from; each service has its own share of it.
    package func declaration(isSimulated: Bool, seed: UInt64 = 0) -> [Accessory] {
        accessories.map { $0.declaration(isSimulated: isSimulated, seed: seed) }
    }
}
