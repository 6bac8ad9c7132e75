internal import AccessoryModel

/// What a program has declared, taken apart: the values that a server works with, and what hangs on them.
struct Declaration: Sendable {
    var accessories: [Accessory] = []
    var handlers: [CharacteristicReference: CharacteristicHandler] = [:]
    var polledValues: [CharacteristicReference: PolledValue] = [:]
    /// Where each declared characteristic stands.
    var references: [DeclarationIdentity: CharacteristicReference] = [:]
    var faults: [ModelError] = []

    mutating func add(_ characteristic: AnyHAPCharacteristic, of service: ServiceKey, in accessory: String) {
        let type = characteristic.characteristic.type
        let reference = CharacteristicReference(accessory: accessory, service: service, type: type)
        if references.updateValue(reference, forKey: characteristic.identity) != nil {
            report(
                .duplicate,
                at: "\(accessory)/\(service.type)/\(type)",
                "this declaration stands in another place, too; declare one for each"
            )
        }
        if characteristic.handler.onRead != nil || characteristic.handler.onWrite != nil {
            handlers[reference] = characteristic.handler
        }
        polledValues[reference] = characteristic.polledValue
    }

    mutating func report(_ code: ModelError.Code, at path: String, _ reason: String) {
        faults.append(ModelError(code, at: path, reason))
    }
}
