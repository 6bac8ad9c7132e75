internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// A service of a definition, with where it is from.
struct DefinedService: Sendable {
    /// Its type.
    var type: ServiceType
    /// What tells it from others of its type, as far as it is written.
    var id: String?
    /// Its name, wherever that is written.
    var name: String?
    /// What is written of its characteristics, and what is added.
    var characteristics: [DefinedCharacteristic]
    /// Whether it is the main service.
    var isPrimary = false
    /// Whether people do not see it.
    var isHidden = false
    /// What it says of the services that belong with it.
    var links: [DocumentField] = []
    /// Its id.
    var iid: InstanceID?
    /// Where the id is written.
    var iidField: DocumentField?
    /// What moves its values.
    var simulation: SimulationChoice
    /// Where it stands, or what it follows from.
    var field: DocumentField
    /// Its key, known when all services of the accessory are.
    var key: ServiceKey
}
