/// Who listens on the port of a server.
struct PortReading: Sendable, Hashable {
    /// What the port belongs to: a server's key, or the configuration.
    var user: String
    var port: UInt16
    /// Who holds the state, and so ought to listen.
    var holder: Int32?
    var isHeld: Bool
    var socket: ListeningSocket?
    var owner: PortOwner?

    var finding: Finding {
        let subject = "Port \(port)"
        guard let socket else {
            guard isHeld else { return Finding(subject, .ok, "It is free for \(user).") }
            return Finding(
                subject,
                .problem,
                "The state is held, and nobody listens on the port of \(user).",
                remedy: "The server is starting, stopping or stuck: ask again, and restart it when this stays."
            )
        }
        guard isHeld, owner == nil || owner?.processID == holder else {
            return Finding(
                subject,
                .problem,
                "It belongs to \(user), and \(owner?.description ?? "another user's process") listens on it.",
                remedy: "End that program, or give \(user) another port with --port."
            )
        }
        let listener = owner?.description ?? "the process that holds the state"
        guard !socket.isLoopback else {
            return Finding(
                subject,
                .note,
                "\(user) is served by \(listener) to this machine alone.",
                remedy: "Start it without --bind 127.0.0.1 to let other machines reach it."
            )
        }
        return Finding(subject, .ok, "\(user) is served by \(listener).")
    }
}
