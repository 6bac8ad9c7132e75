extension CharacteristicType {
    /// Brightness.
    public static let brightness = CharacteristicType(apple: 0x08)
    /// Current Door State.
    public static let currentDoorState = CharacteristicType(apple: 0x0E)
    /// Firmware Revision.
    public static let firmwareRevision = CharacteristicType(apple: 0x52)
    /// Hue.
    public static let hue = CharacteristicType(apple: 0x13)
    /// Identify.
    public static let identify = CharacteristicType(apple: 0x14)
    /// Lock Current State.
    public static let lockCurrentState = CharacteristicType(apple: 0x1D)
    /// Lock Target State.
    public static let lockTargetState = CharacteristicType(apple: 0x1E)
    /// Manufacturer.
    public static let manufacturer = CharacteristicType(apple: 0x20)
    /// Model.
    public static let model = CharacteristicType(apple: 0x21)
    /// Name.
    public static let name = CharacteristicType(apple: 0x23)
    /// Obstruction Detected.
    public static let obstructionDetected = CharacteristicType(apple: 0x24)
    /// On.
    public static let on = CharacteristicType(apple: 0x25)
    /// Saturation.
    public static let saturation = CharacteristicType(apple: 0x2F)
    /// Serial Number.
    public static let serialNumber = CharacteristicType(apple: 0x30)
    /// Target Door State.
    public static let targetDoorState = CharacteristicType(apple: 0x32)
    /// Version.
    public static let version = CharacteristicType(apple: 0x37)
}
