import AccessoryFiles
import AccessoryModel
import Simulation

/// The objects that the prompt and scenarios refer to.
enum SimulatedGarages {
    /// One garage, most of whose names are unique.
    static let one = names([KilgoGarage.accessory(number: 1)])

    /// Two garages, and a bridge with various scripts and symbols in its names.
    static let several: SimulationNames = {
        let text = """
            bridge: Haus zum Bären
            accessories:
              - { accessory: 車庫, services: [{ type: Switch, name: Licht }, { type: Switch, name: Licht, id: b }] }
              - { accessory: "Door to = the e\\u0301", services: [{ type: Doorbell, name: on }, { type: Fan, name: A/B.C }] }
            """
        guard let bridge = try? AccessoryFile.read(Array(text.utf8), name: "bridge.yaml") else {
            fatalError("a definition that is right is read")
        }
        let garages = [KilgoGarage.accessory(number: 1), KilgoGarage.accessory(number: 2)].map { [$0] }
        return names(garages + [bridge.document.makeAccessories(isSimulated: true)])
    }()

    private static func names(_ garage: [Accessory]) -> SimulationNames {
        names([garage])
    }

    private static func names(_ served: [[Accessory]]) -> SimulationNames {
        let servers = served.map { ($0.first?.key ?? "", $0, false) }
        guard let names = try? SimulationNames(unstarted: servers) else { fatalError("what is declared can be served") }
        return names
    }
}
