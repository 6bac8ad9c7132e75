package import AccessoryModel
internal import AsyncPrimitives
package import HomeModel

/// The accessories that a home is run on: on the network, or served by this process.
package protocol HomeWorld: Sendable {
    /// Where what is watched arrives, in the order in which it happened.
    var mailbox: WorldMailbox { get }

    /// The servers there are, with what they have; waits for all of them.
    func servers() async -> [WorldServer]

    /// Writes what one request holds; an outcome for each item, in their order.
    ///
    /// What happens to one item does nothing to the others.
    func write(_ request: ServerWrites) async -> [ActionResult.Outcome]

    /// Reads characteristics; what cannot be read is missing.
    func read(
        _ references: [CharacteristicReference]
    ) async -> [CharacteristicReference: CharacteristicValue]

    /// Tells the mailbox what happens to characteristics until the task is cancelled: whether their servers can be reached,
    /// the present values, and each change.
    func watch(_ references: Set<CharacteristicReference>) async
}
