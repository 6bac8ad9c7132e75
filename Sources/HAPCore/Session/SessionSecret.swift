/// The two keys of a session in one piece of locked memory, shared by the sealer and the opener.
///
/// Immutable once made, and wiped when both have gone.
///
/// HAP: §5
package final class SessionSecret: Sendable {
    /// One of the two keys.
    package enum Direction: Int, Sendable {
        case accessoryToController = 0
        case controllerToAccessory = 32
    }

    private let keys: SecretBytes

    /// Takes 64 bytes: the accessory's key for sending, then the controller's.
    package init(keys: consuming SecretBytes) {
        precondition(keys.count == 64, "a session has two keys of 32 bytes")
        self.keys = keys
    }

    /// Lends a key of 32 bytes.
    func withKey<Result>(_ direction: Direction, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        keys.withBytes { keys in
            body(UnsafeRawBufferPointer(rebasing: keys[direction.rawValue..<(direction.rawValue + 32)]))
        }
    }
}
