/// The inputs of a garage door, from a controller or from the simulator.
enum DoorInput: CaseIterable, Sendable {
    case open
    case close
    case secure
    case unsecure
    case stop
    case obstruct
    case clear
}
