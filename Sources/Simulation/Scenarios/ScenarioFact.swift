package import AccessoryModel
package import HAPCore

/// Something that happened in the servers, as far as scenarios care.
package enum ScenarioFact: Sendable, Hashable {
    /// A characteristic has this value from now on, or its button was pressed.
    case value(SimulationPlace, CharacteristicValue?)
    /// A controller did something to a server, or to a characteristic of it.
    case controller(ControllerDeed, server: Int, CharacteristicID?)
    /// An event message has told a controller of a characteristic.
    case event(SimulationPlace, CharacteristicValue?)
    /// A fault of this name has acted on something, or is over.
    case fault(server: Int, String, on: String?)
}
