package import AccessoryModel
internal import AsyncPrimitives
package import HAPCore
package import HomeModel

/// The accessories that a home is run on: on the network, or served by this process.
package protocol HomeBackend: Sendable {
    /// Where what is watched arrives, in the order in which it happened.
    var mailbox: BackendMailbox { get }

    /// The servers there are, with what they have; waits for all of them.
    func servers() async -> [BackendServer]

    /// Writes what one request holds; an outcome for each item, in their order.
    ///
    /// What happens to one item does nothing to the others.
    func write(_ request: ServerWriteRequest) async -> [ActionResult.Outcome]

    /// Reads characteristics; what cannot be read is missing.
    func read(
        _ references: [CharacteristicReference]
    ) async -> [CharacteristicReference: CharacteristicValue]

    /// Tells the mailbox what happens to characteristics until the task is cancelled: whether their servers can be reached,
    /// the present values, and each change.
    func observe(_ references: Set<CharacteristicReference>) async
}

/// A world whose time passes when it is told to, so that a week of it takes seconds and is the same twice.
package protocol SteppedHomeBackend: HomeBackend {
    /// What its clock shows.
    var now: WallInstant { get async }

    /// When something in it moves by itself next; `nil` while nothing does.
    var nextChange: WallInstant? { get async }

    /// Lets time pass until an instant; what has happened until then is in the mailbox when it returns.
    func advance(to instant: WallInstant) async
}

/// A server that a world has, with what it announces.
package struct BackendServer: Sendable {
    /// Who it is.
    package var id: DeviceID
    /// What people call it where it is known: the alias of the pairing, or the key of what is served.
    package var alias: String
    /// The accessories, the bridge first; none when it could not be asked.
    package var accessories: [RemoteAccessory]
    /// Why it could not be asked.
    package var failure: String?

    /// The first accessory when others are behind it.
    package var bridge: RemoteAccessory? {
        accessories.count > 1 ? accessories.first : nil
    }
}
