import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// Declarations in Swift, and the accessories that a server gets from them.
@Suite struct DeclarationTests {
    private static let fadeRate = "7E536242-341C-4862-BE90-272CE15BD633"

    @Test func declarationEqualsTheHandwrittenValue() throws {
        let switches = HAPService(.switch, name: "Night", key: "night", isHidden: true) { HAPCharacteristic(.on, true) }
        let lamp = HAPAccessory(
            "Desk Lamp",
            category: .lighting,
            key: "lamp",
            manufacturer: "Me",
            model: "L1",
            serialNumber: "0001",
            firmware: "1.2.3"
        ) {
            HAPService(.lightbulb, isPrimary: true) {
                HAPCharacteristic(.on, false).onWrite { _ in }
                HAPCharacteristic(.brightness, 100, range: 10...100, step: 5)
                HAPCharacteristic(custom: Self.fadeRate, "Fade Rate", 1.0, unit: .seconds, range: 0...10, step: 0.5)
            }
            .linked(to: switches)
            switches
        }
        let uuid = try #require(HAPUUID(Self.fadeRate))
        var brightness = Characteristic(cataloged: .brightness, value: 100)
        brightness.metadata.minimum = 10
        brightness.metadata.step = 5
        let services = [
            Service.accessoryInformation(
                name: "Desk Lamp",
                manufacturer: "Me",
                model: "L1",
                serialNumber: "0001",
                firmware: "1.2.3"
            ),
            .protocolInformation(),
            Service(
                .lightbulb,
                characteristics: [
                    Characteristic(cataloged: .on, value: false),
                    brightness,
                    Characteristic(
                        type: CharacteristicType(uuid),
                        permissions: [.read, .write, .events],
                        metadata: CharacteristicMetadata(
                            format: .float,
                            unit: .seconds,
                            minimum: 0,
                            maximum: 10,
                            step: 0.5
                        ),
                        description: "Fade Rate",
                        value: 1
                    ),
                ],
                isPrimary: true,
                linked: [ServiceKey(.switch, subtype: "night")]
            ),
            Service(
                .switch,
                subtype: "night",
                characteristics: [
                    Characteristic(cataloged: .name, value: "Night"), Characteristic(cataloged: .on, value: true),
                ],
                isHidden: true
            ),
        ]
        let accessories = try lamp.accessories()
        #expect(accessories.map(\.key) == ["lamp"])
        #expect(accessories.first?.services.map(ComparableService.init) == services.map(ComparableService.init))
    }

    @Test func omittedKeysAreDerivedFromTheName() throws {
        let lamp = HAPAccessory("Lamp") { HAPService(.switch) { HAPCharacteristic(.on, false) } }
        let accessory = try #require(try lamp.accessories().first)
        let information = Service.accessoryInformation(
            name: "Lamp",
            manufacturer: "Unknown",
            model: "Lamp",
            serialNumber: "Lamp",
            firmware: "1.0.0"
        )
        #expect(accessory.key == "Lamp")
        #expect(accessory.services.first.map(ComparableService.init) == ComparableService(information))
        #expect(lamp.category == .other)
    }

    @Test func bridgePrecedesItsBridgedAccessories() throws {
        let bridge = HAPAccessory.bridge("Attic") {
            for zone in ["east", "west"] {
                HAPAccessory(zone, category: .sensor) {
                    HAPService(.temperatureSensor) { HAPCharacteristic(.currentTemperature, 21.5, range: -40...60) }
                }
            }
        }
        let accessories = try bridge.accessories()
        #expect(bridge.category == .bridge)
        #expect(accessories.map(\.key) == ["Attic", "east", "west"])
        #expect(
            accessories.map { $0.services.contains { $0.key.type == .protocolInformation } } == [true, false, false]
        )
    }

    @Test(arguments: [true, false])
    func resultBuilderSupportsConditionsAndLoops(hasColor: Bool) throws {
        let lamp = HAPAccessory("Lamp") {
            HAPService(.lightbulb) {
                HAPCharacteristic(.on, false)
                if hasColor {
                    HAPCharacteristic(.hue, 0.0)
                    HAPCharacteristic(.saturation, 0.0)
                } else {
                    HAPCharacteristic(.brightness, 100)
                }
            }
            for name in ["left", "right"] {
                HAPService(.switch, key: name) { HAPCharacteristic(.on, false) }
            }
        }
        let services = try #require(try lamp.accessories().first).services.dropFirst(2)
        let types: [CharacteristicType] = hasColor ? [.on, .hue, .saturation] : [.on, .brightness]
        #expect(services.map(\.key.subtype) == ["", "left", "right"])
        #expect(services.first?.characteristics.map(\.type) == types)
    }

    @Test(arguments: InvalidDeclaration.all)
    func invalidDeclarationIsReportedWithPathAndRemedy(declaration: InvalidDeclaration) async throws {
        let store = InMemoryStore()
        let error = await #expect(throws: ServerError.self) {
            _ = try await AccessoryServer.start(declaration.accessory, store: store, discovery: nil)
        }
        #expect(error?.code == .declaration)
        #expect(error?.reason.split(separator: "\n").map(String.init) == declaration.messages)
        #expect(try await store.identity() == nil)
    }

    @Test(arguments: ["12345678", "111-11-111", "123-45-678", ""])
    func invalidSetupCodeIsRefused(code: String) async throws {
        let lamp = HAPAccessory("Lamp") { HAPService(.switch) { HAPCharacteristic(.on, false) } }
        let error = await #expect(throws: ServerError.self) {
            _ = try await AccessoryServer.start(lamp, store: InMemoryStore(), setupCode: code, discovery: nil)
        }
        #expect(error?.code == .declaration)
    }

    /// The properties of a service that can be compared.
    private struct ComparableService: Equatable {
        let key: ServiceKey
        let characteristics: [Characteristic]
        let flags: [Bool]
        let linked: [ServiceKey]
        let iid: InstanceID?

        init(_ service: Service) {
            key = service.key
            characteristics = service.characteristics
            flags = [service.isPrimary, service.isHidden, service.behavior != nil]
            linked = service.linked
            iid = service.iid
        }
    }
}
