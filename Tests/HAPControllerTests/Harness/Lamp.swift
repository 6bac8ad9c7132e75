import AccessoryModel
import HAPCore

/// An accessory with a characteristic for every kind of request.
enum Lamp {
    static let key = "Lamp"
    static let timed = type(1)
    static let writeResponse = type(2)
    static let data = type(3)

    static let accessory = Accessory(
        key: key,
        services: [
            .accessoryInformation(
                name: key,
                manufacturer: "Example Works",
                model: "L-1",
                serialNumber: "L-0001",
                firmware: "1.0.0"
            ),
            .protocolInformation(),
            Service(
                .lightbulb,
                characteristics: [
                    Characteristic(cataloged: .on, value: false),
                    Characteristic(cataloged: .brightness, value: 50),
                    Characteristic(
                        type: timed,
                        permissions: [.read, .write, .events, .timedWrite],
                        metadata: CharacteristicMetadata(format: .uint8, maximum: 100),
                        value: 1
                    ),
                    Characteristic(
                        type: writeResponse,
                        permissions: [.read, .write, .writeResponse],
                        metadata: CharacteristicMetadata(format: .uint8, maximum: 100),
                        value: 1
                    ),
                    Characteristic(
                        type: data,
                        permissions: [.read, .write],
                        metadata: CharacteristicMetadata(format: .data),
                        value: .data([1, 2, 3])
                    ),
                ]
            ),
        ]
    )

    private static func type(_ number: UInt64) -> CharacteristicType {
        CharacteristicType(HAPUUID(high: 0x2222_0000_0000_4000, low: 0x8000_0000_0000_0000 + number))
    }
}
