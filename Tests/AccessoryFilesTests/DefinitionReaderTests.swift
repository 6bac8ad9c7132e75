import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import Simulation
import Testing

@Suite
struct DefinitionReaderTests {
    @Test
    func fourLineLampGetsTheRequiredServices() throws {
        let document = try read(
            """
            # yaml-language-server: $schema=accessory.schema.json
            accessory: Desk Lamp
            services:
              - type: Lightbulb
                characteristics:
                  On: false
                  Brightness: 50
            """
        )
        #expect(document.key == "Desk Lamp")
        #expect(document.name == "Desk Lamp")
        #expect(document.category == .lighting)
        let accessory = try #require(document.accessories.first)
        #expect(document.accessories.count == 1)
        #expect(accessory.key == "Desk Lamp")
        #expect(accessory.services.map(\.key.type) == [.accessoryInformation, .protocolInformation, .lightbulb])
        #expect(accessory.services[0].iid == .accessoryInformation)
        let information = Service.accessoryInformation(
            name: "Desk Lamp",
            manufacturer: "hap",
            model: "Light Bulb",
            serialNumber: "143811FA",
            firmware: "1.0.0"
        )
        #expect(accessory.services[0].characteristics == information.characteristics)
        #expect(
            accessory.services[2].characteristics == [
                Characteristic(cataloged: .on, value: false), Characteristic(cataloged: .brightness, value: 50),
            ]
        )
        #expect(accessory.services[2].simulation == .automatic)
    }

    @Test
    func theKilgoGarageIsWrittenInThirtyLines() throws {
        let document = try read(Self.garage)
        #expect(document.category == .garageDoorOpener)
        let services = try #require(document.accessories.first).services
        let kilgo = KilgoGarage.accessory(isSimulated: false)
        #expect(services[0].characteristics == kilgo.services[0].characteristics)
        #expect(services[1].characteristics == kilgo.services[1].characteristics)
        #expect(Set(services[2].characteristics) == Set(kilgo.services[2].characteristics))
        #expect(services[3].characteristics == kilgo.services[3].characteristics)
        #expect(services.map(\.key) == kilgo.services.map(\.key))
        #expect(services.map(\.isPrimary) == kilgo.services.map(\.isPrimary))
        func model(_ name: String, _ arguments: [String: SimulationArgument] = [:]) throws -> SimulationModel {
            try #require(SimulationCatalog.model(named: name)).model(arguments)
        }
        #expect(services[2].simulation == .model(try model("garageDoor")))
        #expect(
            services[3].simulation
                == .model(
                    try model("dimmableLight", ["fade": .characteristic(KilgoGarage.fadeRate)])
                )
        )
    }

    @Test
    func bridgeAccessoriesMayBeDeclaredAnywhere() throws {
        let files = ["lock.yaml": "accessory: Front Door\nservices:\n  - type: LockMechanism\n"]
        let document = try read(
            """
            bridge: Ground Floor
            manufacturer: hap
            accessories:
              - accessory: Hall Lamp
                services:
                  - type: Lightbulb
                    characteristics: { On: true }
              - include: lock.yaml
              - include: lock.yaml
                name: Back Door
            """,
            including: files
        )
        #expect(document.category == .bridge)
        #expect(document.accessories.map(\.key) == ["Ground Floor", "Hall Lamp", "Front Door", "Back Door"])
        #expect(AccessoryValidation.errors(in: document.makeAccessories(isSimulated: true)).isEmpty)
        let back = document.accessories[3].services[0].characteristics
        #expect(back.first { $0.type == .name }?.value == "Back Door")
        #expect(document.accessories[2].services.map(\.key.type) == [.accessoryInformation, .lockMechanism])
    }

    static let garage = """
        accessory: Kilgo Garage
        category: GarageDoorOpener
        manufacturer: Kilgo Devices, Inc.
        model: KG-100
        serialNumber: KG100-0001
        firmware: 1.0.0
        services:
          - type: GarageDoorOpener
            name: Garage Door
            primary: true
            simulate: { garageDoor: { travel: 12s } }
            characteristics:
              TargetDoorState: 1
              LockTargetState: 0
          - type: Lightbulb
            name: Garage Light
            simulate: { dimmableLight: { fade: Fade Rate } }
            characteristics:
              On: false
              Brightness: 100
              Hue: 0
              Saturation: 0
              Fade Rate:
                type: 7E536242-341C-4862-BE90-272CE15BD633
                format: float
                unit: seconds
                range: 0...10
                step: 0.5
                permissions: [read, write, notify]
                description: Fade Rate
                value: 1
        """

    private func read(_ text: String, including files: [String: String] = [:]) throws -> AccessoryDocument {
        let reading = try AccessoryFile.read(Array(text.utf8), name: "test.yaml") { files[$0].map { Array($0.utf8) } }
        #expect(reading.warnings.isEmpty)
        return reading.document
    }
}
