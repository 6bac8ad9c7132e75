package import AccessoryModel
package import HAPCore
internal import Simulation

/// The content of a file for one server: a stand-alone accessory, or a bridge with its accessories.
///
/// Every kind of file is read into this type and written from it, so any kind can be served and converted to any other.
package struct AccessoryDocument: Sendable, Hashable {
    /// The key of the server's saved state.
    package var key: String
    /// The name that users see, and under which the server is announced.
    package var name: String
    /// The category that controllers show while they pair.
    package var category: AccessoryCategory
    /// The accessories in the order in which they are served; in definitions, the first one is the primary accessory or
    /// the bridge.
    package var accessories: [FileAccessory]
    /// The device ID at the first start.
    package var deviceID: DeviceID?
    /// The setup code.
    package var setupCode: SetupCode?
    /// The setup ID at the first start.
    package var setupID: SetupID?
    /// The configuration number at the first start.
    package var configurationNumber: UInt16?
    /// Whether the document is served unchanged, including its errors, because it is a copy of a real device.
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

    /// Returns the accessories for a server.
    ///
    /// - Parameters:
    ///   - isSimulated: Whether services get the behaviors that they request.
    ///   - seed: The seed of random behavior; each service has its own generator.
    package func makeAccessories(isSimulated: Bool, seed: UInt64 = 0) -> [Accessory] {
        accessories.map { $0.makeAccessory(isSimulated: isSimulated, seed: seed) }
    }
}

extension AccessoryDocument {
    /// The errors that prevent a server from serving the document.
    package var servingErrors: [ModelError] {
        prepare(makeAccessories(isSimulated: false)).errors
    }

    /// Returns the database of the document's accessories, or the errors that prevent a server from serving them.
    ///
    /// - Parameter accessories: The accessories as they will be served.
    package func prepare(_ accessories: [Accessory]) -> (database: PreparedDatabase?, errors: [ModelError]) {
        let faults = isVerbatim ? [] : AccessoryValidation.errors(in: accessories)
        guard faults.isEmpty else { return (nil, faults) }
        var identifiers = IdentifierMap()
        do throws(ModelError) {
            let database = try AttributeDatabase(accessories, identifiers: &identifiers, isVerbatim: isVerbatim)
            return (PreparedDatabase(database, identifiers), [])
        } catch {
            return (nil, [error])
        }
    }
}

extension AccessoryDocument {
    /// Returns the document with its missing values replaced by those of the document that was read back from a file.
    ///
    /// These are the values that the file adds by default. They must not count as differences.
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
    /// Changes each element, together with its counterpart in a list of the same length.
    mutating func updateEach(from others: [Element], _ change: (inout Element, Element) -> Void) {
        guard count == others.count else { return }
        for (position, other) in zip(indices, others) {
            change(&self[position], other)
        }
    }
}
