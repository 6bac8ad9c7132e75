/// What a person or a script asks of a simulated device, beyond what HAP can write.
public enum BehaviorCommand: Sendable, Hashable {
    /// Stop where it is.
    case stop
    /// Put something in the way.
    case obstruct
    /// Take it away again.
    case clearObstruction
}
