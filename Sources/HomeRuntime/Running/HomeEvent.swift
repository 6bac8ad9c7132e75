package import AccessoryModel
package import HAPCore
package import HomeModel

/// What happens while a home is run.
package enum HomeEvent: Sendable {
    /// The engine says why an automation ran, or did not.
    case journal(JournalEntry)
    /// What an automation wanted was asked for: a result for each action.
    case ran(RunRequest, [ActionResult])
    /// A characteristic has another value, or the first one that is known.
    case value(CharacteristicSelector, CharacteristicValue?)
    /// A characteristic has the value that was written.
    case accepted(CharacteristicSelector, CharacteristicValue)
    /// A server can be reached.
    case reachable(DeviceID)
    /// A server cannot be reached, or not any more: why.
    case unreachable(DeviceID, String)
    /// A server has other accessories, services or characteristics than before.
    case structureChanged(DeviceID)
}

/// Is told what happens while a home is run, in order; must return quickly.
package protocol HomeRunObserver: Sendable {
    /// Takes one piece of news of a home as it is then.
    ///
    /// - Parameter instant: What the home's clock shows.
    func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant)
}
