public import HAPCore

/// Which accessory to pair with.
public enum AccessoryTarget: Sendable, Hashable {
    /// The one at this name or address, and port.
    case address(host: String, port: UInt16)
    /// The one that announces this device ID.
    case device(DeviceID)
    /// The one whose announcement matches the setup payload's setup ID.
    case matchingPayload
}
