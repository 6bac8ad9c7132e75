internal import HAPCore

extension Service {
    /// The service that every accessory begins with, at iid 1: who made it and what it is called.
    ///
    /// `name` and `manufacturer` have at most 64 bytes, `model` 1 to 64, `serialNumber` 2 to 64; `firmware` is
    /// `x[.y[.z]]` with numbers below 2³². A server checks them when it starts, not this function. Name, manufacturer,
    /// model and serial number stay the same for the accessory's life, and `firmware` changes with every update.
    ///
    /// HAP: §11.2
    public static func accessoryInformation(
        name: String,
        manufacturer: String,
        model: String,
        serialNumber: String,
        firmware: String
    ) -> Service {
        Service(
            .accessoryInformation,
            characteristics: [
                Characteristic(catalogued: .identify),
                Characteristic(catalogued: .manufacturer, value: .string(manufacturer)),
                Characteristic(catalogued: .model, value: .string(model)),
                Characteristic(catalogued: .name, value: .string(name)),
                Characteristic(catalogued: .serialNumber, value: .string(serialNumber)),
                Characteristic(catalogued: .firmwareRevision, value: .string(firmware)),
            ],
            iid: .accessoryInformation
        )
    }
}
