extension ServiceType {
    /// Accessory Information.
    public static let accessoryInformation = ServiceType(apple: 0x3E)
    /// Garage Door Opener.
    public static let garageDoorOpener = ServiceType(apple: 0x41)
    /// Light Bulb.
    public static let lightbulb = ServiceType(apple: 0x43)
    /// HAP Protocol Information.
    public static let protocolInformation = ServiceType(apple: 0xA2)
}
