internal import AccessoryModel
package import HAPCore

/// An accessory of a server, with its names.
package struct SimulatedAccessory: Sendable {
    /// Its number in the server.
    package var aid: AccessoryID
    /// What it is called: its Name, else its key.
    package var name: String
    /// Its services with characteristics.
    package var services: [SimulatedService]
    /// What it goes by.
    private(set) var keys: [String]

    /// `nil` for one without an id.
    init?(_ accessory: Accessory, id: (Service, Characteristic) -> CharacteristicID?) {
        services = accessory.services.compactMap { service in
            SimulatedService(service) { characteristic in id(service, characteristic) }
        }
        guard let aid = services.first?.characteristics.first?.id.aid else { return nil }
        self.aid = aid
        let information = accessory.services.first { $0.key.type == .accessoryInformation }
        name = information?.text(.name) ?? accessory.key
        keys = SimulationNameKey.keys([name, aid.description])
    }

    /// Puts a number behind its name; it goes by both.
    mutating func number(_ number: Int) {
        name += " \(number)"
        keys.append(SimulationNameKey.key(name))
    }
}

extension Service {
    /// The declared value of a characteristic that holds a text; `nil` for none and for an empty one.
    func text(_ type: CharacteristicType) -> String? {
        let text = characteristics.first { $0.type == type }?.value?.string
        return text.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }
}
