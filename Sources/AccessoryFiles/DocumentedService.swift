package import AccessoryModel
package import HAPCore
package import Simulation

/// A service of a file.
package struct DocumentedService: Sendable, Hashable {
    /// The type, with a subtype where the accessory has several of one type; unique in its accessory.
    package var key: ServiceKey
    /// Its characteristics.
    package var characteristics: [Characteristic]
    /// Whether it is the accessory's main service.
    package var isPrimary: Bool
    /// Whether people do not see it.
    package var isHidden: Bool
    /// Other services of the accessory that belong with it.
    package var linked: [ServiceKey]
    /// The iid that the file gives it.
    package var iid: InstanceID?
    /// What moves its values.
    package var simulation: SimulationChoice
    /// The type as a real device writes it, where that is not a form of HAP.
    package var writtenType: String?

    /// Creates a service.
    package init(
        key: ServiceKey,
        characteristics: [Characteristic],
        isPrimary: Bool = false,
        isHidden: Bool = false,
        linked: [ServiceKey] = [],
        iid: InstanceID? = nil,
        simulation: SimulationChoice = .automatic
    ) {
        self.key = key
        self.characteristics = characteristics
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.iid = iid
        self.simulation = simulation
    }

    func declaration(isSimulated: Bool, seed: UInt64) -> Service {
        let model = isSimulated ? simulation.model(for: key.type) : nil
        var service = Service(
            key.type,
            subtype: key.subtype,
            characteristics: characteristics,
            isPrimary: isPrimary,
            isHidden: isHidden,
            linked: linked,
            behavior: model?.behavior(seed: SeededRandom.seed(seed, for: key.path)),
            iid: iid
        )
        service.writtenType = writtenType
        return service
    }
}
