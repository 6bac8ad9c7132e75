internal import AccessoryModel
internal import AirPlay
internal import Discovery
internal import HAPCore
internal import Hosting
internal import Simulation
internal import Synchronization

/// The commands for a sender, which are sent in their order by the event channel or by DACP.
final class CommandQueue: Sendable {
    /// The maximum number of commands that wait.
    private static let maximumCount = 8

    private struct State {
        var waiting: [RemoteCommand] = []
        var isSending = false
        var events: EventChannel?
        var remote: RemoteControl?
        var hasEnded = false
    }

    private let port: DriverPort
    private let browser: AccessoryBrowser
    private let state = Mutex(State())

    init(_ port: DriverPort, _ browser: AccessoryBrowser) {
        (self.port, self.browser) = (port, browser)
    }

    /// The event channel of AirPlay 2; `nil` before it is open.
    var events: EventChannel? {
        get { state.withLock(\.events) }
        set { state.withLock { $0.events = newValue } }
    }

    /// How commands reach a sender of AirPlay 1.
    func setRemote(_ remote: RemoteControl) { state.withLock { $0.remote = remote } }

    /// Adds a command to those that wait; a volume replaces the one before it.
    ///
    /// While many others wait, a command is dropped.
    ///
    /// - Returns: Whether the caller must call ``send()`` in a task of its own.
    func add(_ command: RemoteCommand) -> Bool {
        state.withLock { state in
            if case .setVolume = command, case .setVolume? = state.waiting.last { state.waiting.removeLast() }
            guard state.waiting.count < Self.maximumCount, !state.hasEnded else { return false }
            state.waiting.append(command)
            defer { state.isSending = true }
            return !state.isSending
        }
    }

    /// Sends the commands that wait, one after the other.
    func send() async {
        while let (command, events, remote) = next() {
            var isSent = false
            if let events {
                isSent = await events.send(command)
            } else if let remote {
                isSent = await remote.send(command, port, browser: browser)
            }
            port.emit(DriverEvent("remoteCommand", ["command": command.name, "sent": isSent ? "true" : "false"]))
        }
    }

    private func next() -> (RemoteCommand, EventChannel?, RemoteControl?)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isSending = false
                return nil
            }
            return (state.waiting.removeFirst(), state.events, state.remote)
        }
    }

    /// Drops the commands that wait, and closes the event channel.
    func end() async {
        let events = state.withLock { state in
            state.hasEnded = true
            state.waiting = []
            return state.events
        }
        await events?.close()
    }
}
