package import AccessoryModel
internal import AsyncPrimitives
package import HAPCore
package import HomeModel

/// The accessories of a home: on the network, or served by this process or another one.
package protocol HomeBackend: Sendable {
    /// The mailbox that receives the changes of observed characteristics, in the order in which they occurred.
    var mailbox: BackendMailbox { get }

    /// Returns all servers with their accessories, after each of them has answered or failed.
    ///
    /// A backend for commands, which uses only the accessories of the stored home, returns none.
    func servers() async -> [BackendServer]

    /// Writes the items of one request, and returns an outcome for each item in order.
    ///
    /// An item that fails does not affect the others.
    func write(_ request: ServerWriteRequest) async -> [ActionResult.Outcome]

    /// Reads characteristics.
    ///
    /// The result contains only the values that could be read.
    func read(
        _ references: [CharacteristicReference]
    ) async -> [CharacteristicReference: CharacteristicValue]

    /// Sends the changes of characteristics to the mailbox until the task is canceled.
    ///
    /// It first sends the reachability of the servers and the current values, and then each change.
    func observe(_ references: Set<CharacteristicReference>) async
}

/// A backend whose time advances only on request, so that a week takes seconds and each run has the same result.
package protocol SteppedHomeBackend: HomeBackend {
    /// The current time of the backend.
    var now: WallInstant { get async }

    /// Sends the current values, and all changes from then on.
    func startObserving(_ references: Set<CharacteristicReference>) async

    /// The next instant at which the backend changes something by itself, or `nil` if there is none.
    var nextChange: WallInstant? { get async }

    /// Advances the time to an instant.
    ///
    /// When it returns, the mailbox contains all changes until then.
    func advance(to instant: WallInstant) async
}

/// A server of a backend, with its accessories.
package struct BackendServer: Sendable {
    /// The device ID of the server.
    package var id: DeviceID
    /// The alias of the pairing, or the key of the accessory that is served.
    package var alias: String
    /// The accessories, with the bridge first.
    ///
    /// If the server did not answer, there are none.
    package var accessories: [RemoteAccessory]
    /// The reason why the server did not answer; `nil` if it did.
    package var failure: String?

    package init(id: DeviceID, alias: String, accessories: [RemoteAccessory], failure: String? = nil) {
        self.id = id
        self.alias = alias
        self.accessories = accessories
        self.failure = failure
    }

    /// The first accessory if it bridges others; `nil` otherwise.
    package var bridge: RemoteAccessory? {
        accessories.count > 1 ? accessories.first : nil
    }
}

extension WallInstant {
    /// The latest possible instant.
    static var distantFuture: WallInstant { WallInstant(nanoseconds: .max) }
}
