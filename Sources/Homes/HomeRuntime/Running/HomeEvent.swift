package import AccessoryModel
package import HAPCore
package import HomeModel

/// An event of a running home.
package enum HomeEvent: Sendable {
    /// The engine reported why an automation ran or did not run.
    case journal(JournalEntry)
    /// The actions of an automation were executed.
    ///
    /// There is a result for each action.
    case ran(RunRequest, [ActionResult])
    /// The value of a characteristic changed, or became known for the first time.
    case value(CharacteristicSelector, CharacteristicValue?)
    /// A characteristic has the value that was written.
    case accepted(CharacteristicSelector, CharacteristicValue)
    /// A server became reachable.
    case reachable(DeviceID)
    /// A server cannot be reached, with the reason.
    case unreachable(DeviceID, String)
    /// The accessories, services or characteristics of a server changed.
    case structureChanged(DeviceID)
    /// The home was edited, or a user came or left.
    case edited
}

/// An observer that receives the events of a running home in order.
///
/// It must return quickly.
package protocol HomeRunObserver: Sendable {
    /// Receives an event.
    ///
    /// - Parameters:
    ///   - news: The event.
    ///   - home: The home at the time of the event.
    ///   - instant: The time of the home's clock.
    func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant)
}
