import Discovery
import HAPCore
import Testing

/// Returns the announcement of an unpaired Kilgo garage.
func garage(named name: String = "Kilgo Garage", port: UInt16 = 51_826) throws -> AccessoryAnnouncement {
    AccessoryAnnouncement(
        name: InstanceName(name),
        port: port,
        deviceID: try #require(DeviceID("C8:D8:58:C6:63:F5")),
        model: "KG-100",
        configurationNumber: 1,
        category: .garageDoorOpener,
        setupHash: "712Omw==",
        isPaired: false
    )
}
