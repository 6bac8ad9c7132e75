import HAPServer
import HomeModel
import HomeRuntime
import Hosting
import Logging
import Simulation

/// Prints what happens on a host.
struct TerminalObserver: HostObserver {
    let printer: LinePrinter
    /// The descriptor to which warnings are written.
    var errors = CommandContext.current.errors
    /// Whether the events of servers are printed.
    var printsServers = true
    /// Whether there is only one server, so that its lines need no name.
    var isAlone = false
    /// Whether the program ends with an error if a server cannot be advertised at the start.
    var mustAdvertise = false
    /// Whether lines of a home begin with the time since its start, as those of a scenario do.
    var tellsElapsedTime = false
    /// Whether the events that a scenario causes are printed, because the servers have no log.
    var showsScenarioEvents = false
    /// The buffer in which lines of a home wait for the lines about their causes, or `nil` to print them at once.
    var heldLines: HeldLines?

    func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)? {
        guard printsServers else { return nil }
        return EventLog(
            on: printer,
            title: isAlone ? nil : server.name,
            mustAdvertise: mustAdvertise && !server.isAdded
        )
    }

    func observer(of home: Home, on clock: any HomeClock, from start: WallInstant) -> (any HostedHomeObserver)? {
        HomeLog(
            printer,
            of: home,
            on: clock,
            title: home.name.text,
            startedAt: tellsElapsedTime ? start : nil,
            heldIn: heldLines,
            showsValues: false
        )
    }

    func observer(of plan: ScenarioPlan) -> (any HostedScenarioObserver)? {
        ScenarioLog(
            printer: printer,
            names: plan.names,
            showsEvents: showsScenarioEvents,
            heldLines: heldLines ?? HeldLines()
        )
    }

    func report(_ note: HostNote) {
        switch note {
        case .line(let text): printer.printLine(text.printable)
        case .event(let text): printer.printEvent(text.printable)
        case .warning(let text): FileDescriptorWriter.write("hap: \(text.printable)\n", to: errors)
        case .fileChanged, .folderChanged: break
        }
    }
}

/// Logs the events of servers.
struct LoggerObserver: HostObserver {
    let logger: Logger

    func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)? {
        LoggingObserver(logger, server: server.name)
    }
}

extension LoggingObserver: HostedServerObserver {}
