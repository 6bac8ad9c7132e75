package import HAPServer

/// An event in the journal of the console.
package struct ConsoleEvent: Sendable {
    /// The id of the event; ids increase, also over a restart of the process.
    package let id: UInt64
    /// The time at which it was appended.
    package let time: EventTime
    /// The event.
    package let content: Content

    /// The kinds of events.
    package enum Content: Sendable {
        /// An event of a server, with the server's index.
        case server(Int, ServerEvent)
        /// A step of a scenario has ended, or the scenario has.
        case scenario(name: String, message: String, isPassed: Bool?)
        /// A home reports something, such as why an automation ran.
        case home(kind: String, home: String, automation: String?, message: String)
        /// A server was added to the process.
        case serverAdded(key: String, name: String)
        /// A server was removed from the process.
        case serverRemoved(key: String, name: String)
        /// A file in the folder of definitions was added, changed or deleted.
        case definitionChanged(file: String, message: String)
        /// The folder of definitions is missing, or is back.
        case definitionFolderChanged(message: String)
        /// Faults were injected or ended through the API.
        case faultsChanged(message: String)
        /// Simulated time was advanced, paused, resumed or given another speed through the API.
        case timeChanged(message: String)
        /// A user has acted on the simulation: a command, with its answer.
        case command(String, message: String)
    }
}
