package import AccessoryModel
package import HAPCore
internal import Simulation

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

    /// The accessories as a server takes them; with `isSimulated`, each service with the behavior it asks for.
    ///
    /// - Parameter seed: What the chance of all of them is drawn from; each service has its own share of it.
    package func makeAccessories(isSimulated: Bool, seed: UInt64 = 0) -> [Accessory] {
        accessories.map { $0.makeAccessory(isSimulated: isSimulated, seed: seed) }
    }
}

extension AccessoryDocument {
    /// What keeps a server from serving it; nothing when it can be served.
    package var servingErrors: [ModelError] {
        let accessories = makeAccessories(isSimulated: false)
        let faults = isVerbatim ? [] : AccessoryValidation.errors(in: accessories)
        guard faults.isEmpty else { return faults }
        var identifiers = IdentifierMap()
        do throws(ModelError) {
            _ = try AttributeDatabase(accessories, identifiers: &identifiers, isVerbatim: isVerbatim)
            return []
        } catch {
            return [error]
        }
    }
}

extension AccessoryDocument {
    /// The document with what the file made of it where it said nothing: ids, and the model that belongs to a type.
    ///
    /// A default that takes the place of a missing value is not a loss.
    func withDefaults(from stored: AccessoryDocument) -> AccessoryDocument {
        var document = self
        document.deviceID = deviceID ?? stored.deviceID
        document.setupCode = setupCode ?? stored.setupCode
        document.setupID = setupID ?? stored.setupID
        document.configurationNumber = configurationNumber ?? stored.configurationNumber
        document.accessories.updateEach(from: stored.accessories) { $0.addDefaults(from: $1) }
        return document
    }
}

extension FileAccessory {
    fileprivate mutating func addDefaults(from stored: FileAccessory) {
        aid = aid ?? stored.aid
        services.updateEach(from: stored.services) { $0.addDefaults(from: $1) }
    }
}

extension FileService {
    fileprivate mutating func addDefaults(from stored: FileService) {
        description.iid = description.iid ?? stored.iid
        if simulation.model(for: description.key.type) == stored.simulation.model(for: description.key.type) {
            simulation = stored.simulation
        }
        description.characteristics.updateEach(from: stored.characteristics) { $0.iid = $0.iid ?? $1.iid }
    }
}

extension Array {
    /// Changes each element after its counterpart in a list of as many.
    mutating func updateEach(from others: [Element], _ change: (inout Element, Element) -> Void) {
        guard count == others.count else { return }
        for (position, other) in zip(indices, others) {
            change(&self[position], other)
        }
    }
}
