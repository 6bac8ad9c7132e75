package import HAPServer
package import HomeModel
package import HomeRuntime
package import Simulation

/// What learns what happens on a host: the log on the terminal, the journal of the API, the ready file.
///
/// A host knows its observers only by this protocol. All functions have a default that ignores the call.
package protocol HostObserver: Sendable {
    /// Returns what observes a server that is about to start.
    func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)?

    /// Returns what observes a home that is about to run.
    ///
    /// - Parameters:
    ///   - clock: The clock of the home.
    ///   - start: The time of the clock at which the home begins.
    func observer(of home: Home, on clock: any HomeClock, from start: WallInstant) -> (any HostedHomeObserver)?

    /// Returns what observes a scenario that is about to run.
    func observer(of plan: ScenarioPlan) -> (any HostedScenarioObserver)?

    /// A server was added after the start of the host, or removed.
    ///
    /// The host makes no other change before the call returns.
    func observe(_ change: HostChange) async

    /// Receives a note for the user.
    func report(_ note: HostNote)
}

extension HostObserver {
    package func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)? { nil }

    package func observer(
        of home: Home,
        on clock: any HomeClock,
        from start: WallInstant
    ) -> (any HostedHomeObserver)? { nil }

    package func observer(of plan: ScenarioPlan) -> (any HostedScenarioObserver)? { nil }

    package func observe(_ change: HostChange) async {}

    package func report(_ note: HostNote) {}
}

/// A change of the servers of a host after its start.
package enum HostChange: Sendable {
    case added(HostedServer)
    case removed(HostedServer)
}

/// A note of a host for its user.
package enum HostNote: Sendable, Hashable {
    /// A line without a time, such as the progress of the start.
    case line(String)
    /// A line about something that occurs now.
    case event(String)
    /// A warning that is not an event.
    case warning(String)
    /// A file in the folder of definitions was added, changed or deleted.
    case fileChanged(DefinitionFileName, String)
    /// The folder of definitions is missing, or is back.
    case folderChanged(String)
}

/// What observes one server of a host, from before its start to its end.
package protocol HostedServerObserver: Sendable {
    /// Receives the events of the server; `nil` for none.
    var events: (any ServerObserver)? { get }

    /// Receives the messages of the server's connections; `nil` for none.
    var traffic: (any TrafficObserver)? { get }

    /// Receives the messages between the server's drivers and their peers; `nil` for none.
    var driverTraffic: (any DriverTrafficObserver)? { get }

    /// The server has started, serves something else, or has ended.
    func observe(_ change: HostedServerChange) async
}

extension HostedServerObserver {
    package var traffic: (any TrafficObserver)? { nil }

    package var driverTraffic: (any DriverTrafficObserver)? { nil }

    package func observe(_ change: HostedServerChange) async {}
}

extension HostedServerObserver where Self: ServerObserver {
    package var events: (any ServerObserver)? { self }
}

/// A change of one server.
package enum HostedServerChange: Sendable {
    /// The server listens.
    case started(HostedServer)
    /// The accessories of the server are about to be replaced.
    case replacing
    /// The replacement has ended; the server is the same as before if it has failed.
    case replaced(HostedServer)
    /// The server has stopped together with the host.
    case stopped
    /// The server has ended while others run, or could not start.
    case removed
}

/// What observes a home that runs on a host.
package protocol HostedHomeObserver: HomeRunObserver {
    /// Receives a sentence about the home, its file or its store.
    func report(_ text: String) async
}

extension HostedHomeObserver {
    package func report(_ text: String) async {}
}

/// What observes a scenario that runs on a host.
package protocol HostedScenarioObserver: Sendable {
    /// - Parameter time: The simulated time since the beginning of the scenario.
    func observe(_ progress: ScenarioProgress, at time: Duration)

    /// The scenario has ended.
    func finish(_ result: ScenarioResult)
}
