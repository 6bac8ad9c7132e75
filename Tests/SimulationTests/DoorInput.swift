/// What can be done to a garage door: by a controller, or by the simulator.
enum DoorInput: CaseIterable, Sendable {
    case open
    case close
    case secure
    case unsecure
    case stop
    case obstruct
    case clear
}
