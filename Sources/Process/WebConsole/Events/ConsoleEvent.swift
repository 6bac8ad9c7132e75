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
        /// Anything else.
        ///
        /// - Parameters:
        ///   - kind: The kind of event as one word.
        ///   - server: The key of the server that it is about.
        ///   - name: The name of what it is about, such as a scenario, an automation, a command or a file.
        ///   - message: The event in a sentence.
        case note(kind: String, server: String? = nil, name: String? = nil, message: String)
    }
}

extension ConsoleEvent.Content {
    /// A step of a scenario has ended, or the scenario has.
    static func scenario(_ name: String, message: String) -> Self {
        .note(kind: "scenario", name: name, message: message)
    }

    /// A home reports something, such as why an automation ran.
    static func home(kind: String, automation: String?, message: String) -> Self {
        .note(kind: "home-\(kind)", name: automation, message: message)
    }

    /// A server was added to the process.
    static func serverAdded(key: String, name: String) -> Self {
        .note(kind: "server-added", server: key, message: "\(name) is served.")
    }

    /// A server was removed from the process.
    static func serverRemoved(key: String, name: String) -> Self {
        .note(kind: "server-removed", server: key, message: "\(name) is no longer served.")
    }

    /// A file in the folder of definitions was added, changed or deleted.
    static func definitionChanged(file: String, message: String) -> Self {
        .note(kind: "definition-changed", name: file, message: message)
    }

    /// The folder of definitions is missing, or is back.
    static func definitionFolderChanged(message: String) -> Self {
        .note(kind: "definition-folder", message: message)
    }

    /// Faults were injected or ended through the API.
    static func faultsChanged(message: String) -> Self {
        .note(kind: "faults-changed", message: message)
    }

    /// Simulated time was advanced, paused, resumed or given another speed through the API.
    static func timeChanged(message: String) -> Self {
        .note(kind: "time-changed", message: message)
    }

    /// A user has acted on the simulation: a command, with its answer.
    static func command(_ command: String, message: String) -> Self {
        .note(kind: "command", name: command, message: message)
    }

    /// The kind of event as one word.
    var kind: String {
        switch self {
        case .server(_, let event): event.kind
        case .note(let kind, _, _, _): kind
        }
    }
}
