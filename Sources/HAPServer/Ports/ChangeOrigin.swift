/// What changed a value.
public enum ChangeOrigin: Sendable, Hashable {
    /// A controller's write.
    case controller(ConnectionID)
    /// A write of the program that serves: a scene, an automation.
    case program
    /// The device itself: a behaviour, a handler, what the program says that the device has reported.
    case device
}
