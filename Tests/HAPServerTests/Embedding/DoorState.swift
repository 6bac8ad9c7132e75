import HAPServer

/// Values of Target Door State.
enum DoorState: UInt8, CharacteristicConvertible {
    case open
    case closed
}
