import AccessoryModel
import Discovery
import FoundationEssentials
import HAPCore
import Hosting
import Storage
import WebConsole

/// The report of `hap doctor` on this machine.
enum MachineReport {
    private static let discovery = CheckSubject("Discovery")

    /// Checks everything on this machine that a server needs.
    ///
    /// - Parameters:
    ///   - folder: The state folder.
    ///   - configuredPort: The port in the configuration file.
    ///   - advertise: How accessories are advertised, or `nil` to use the command line of the running server, or else
    ///     the configuration.
    ///   - configuredAdvertise: How accessories are advertised according to the configuration file.
    static func results(
        state folder: StateLocation,
        configuredPort: UInt16?,
        advertise: AdvertiseMode? = nil,
        configuredAdvertise: AdvertiseMode? = nil
    ) async -> [CheckResult] {
        var diagnostics: [CheckResult] = []
        var servers: [StoredServer] = []
        var holder: StateHolder?
        do throws(StoreError) {
            let inspection = try StateStore.inspect(folder: folder.path)
            diagnostics += inspection.results(folder: folder.path)
            if case .intact(let stored, _) = inspection.contents { servers = stored }
            holder = inspection.holder
        } catch {
            diagnostics += CheckSubject("State").problem(error.reason, remedy: error.remedy)
        }
        let held = holder.flatMap { ListeningSocket.all(of: $0.processID) }
        let served = holder == nil ? nil : await servedPorts(of: folder)
        diagnostics += ports(of: servers, configuredPort, holder, held: held, served: served)
        let mode = advertise ?? holder?.processID.flatMap(AdvertiseMode.init(ofProcess:)) ?? configuredAdvertise
        diagnostics += await discovery(
            of: holder == nil ? [] : servers,
            ports: held.map { Set($0.map(\.port)) },
            isAdvertising: mode != .off
        )
        diagnostics += NetworkInterface.results(NetworkInterface.all())
        diagnostics.append(ClockCheck.now().result)
        diagnostics += ProcessLimits.read(of: holder?.processID)?.results ?? []
        return diagnostics
    }

    /// Returns the servers and the drivers of the process that runs with a state folder, by port, or `nil` if it does
    /// not answer.
    private static func servedPorts(of folder: StateLocation) async -> [UInt16: PortUser]? {
        for process in RunningProcess.running([.serve, .run], in: folder) {
            guard let servers = try? await process.servers() else { continue }
            var ports = servers.map { ($0.port, PortUser($0.key)) }
            for server in servers {
                let drivers = (try? await process.listeningDrivers(of: server)) ?? []
                ports += drivers.map { ($0.port, PortUser("The driver \($0.name) of \(server.key)", isDriver: true)) }
            }
            return Dictionary(ports) { first, _ in first }
        }
        return nil
    }

    /// Checks the ports of the servers.
    ///
    /// - Parameters:
    ///   - servers: The servers in the state.
    ///   - configuredPort: The port in the configuration file.
    ///   - holder: The process that uses the state folder.
    ///   - held: The sockets on which that process listens, or `nil` if this user may not see them.
    ///   - served: That process's servers and drivers by port, or `nil` if it does not answer. All its other ports are
    ///     those of its console.
    static func ports(
        of servers: [StoredServer],
        _ configuredPort: UInt16?,
        _ holder: StateHolder?,
        held: [ListeningSocket]?,
        served: [UInt16: PortUser]?
    ) -> [CheckResult] {
        if let held, let holder, held.isEmpty {
            return [
                CheckSubject("Port")
                    .problem(
                        "The state is used by \(holder), which listens on no port.",
                        remedy:
                            "The server is starting, stopping or stuck: check again, and restart it if this remains."
                    )
            ]
        }
        var users = servers.compactMap { server in server.port.map { (user: PortUser(server.key), port: $0) } }
        if let held {
            // For a running server, only the sockets count, because a port that was requested with an option is not
            // saved.
            users = Set(held.map(\.port)).sorted()
                .compactMap { port in
                    if let served { return served[port].map { ($0, port) } }
                    return (
                        users.first { $0.port == port }?.user
                            ?? PortUser(servers.count == 1 ? servers[0].key : "A server"),
                        port
                    )
                }
        } else if let configuredPort, configuredPort > 0, holder == nil {
            users.removeAll { $0.port == configuredPort }
            users.append((PortUser("the configuration file"), configuredPort))
        }
        guard !users.isEmpty, let sockets = held ?? ListeningSocket.all() else { return [] }
        return users.map { user, port in
            let candidates = sockets.filter { $0.port == port }
            let socket = candidates.first { !$0.isLoopback } ?? candidates.first
            return PortCheck(
                user: user.name,
                isDriver: user.isDriver,
                port: port,
                stateHolder: holder?.processID,
                isHeld: holder != nil,
                socket: socket,
                owner: socket?.findOwner()
            )
            .result
        }
    }

    /// Checks the daemon, and whether it announces the running servers.
    private static func discovery(
        of running: [StoredServer],
        ports: Set<UInt16>?,
        isAdvertising: Bool
    ) async -> [CheckResult] {
        do throws(DiscoveryError) {
            let daemon = try await DaemonReport.query(within: .seconds(3))
            let services = running.isEmpty ? [] : try await DaemonReport.accessories(within: .seconds(3))
            return daemonResults(
                daemon,
                running: running,
                ports: ports,
                services: services,
                isAdvertising: isAdvertising
            )
        } catch {
            guard isAdvertising else {
                return [Self.discovery.note("\(error.reason) It is not needed: advertising is off.")]
            }
            return [Self.discovery.unreachable(error.reason, remedy: error.remedy)]
        }
    }

    /// Returns the results for the daemon's answers.
    ///
    /// - Parameters:
    ///   - daemon: The answers about the daemon itself.
    ///   - running: The running servers.
    ///   - ports: The ports on which the running servers listen, or `nil` if they are not known.
    ///   - services: The announced accessories.
    ///   - isAdvertising: Whether the servers are meant to be advertised.
    static func daemonResults(
        _ daemon: DaemonReport,
        running: [StoredServer],
        ports: Set<UInt16>?,
        services: [ResolvedService],
        isAdvertising: Bool = true
    ) -> [CheckResult] {
        var diagnostics = [
            Self.discovery
                .ok("The system bus and the Avahi daemon answer (\(daemon.version), \(daemon.hostName)).")
        ]
        for server in running {
            guard let service = services.first(where: { $0.text["id"] == server.deviceID }) else {
                guard isAdvertising else {
                    diagnostics += Self.discovery.ok("\(server.key) is not announced: advertising is off.")
                    continue
                }
                diagnostics += Self.discovery
                    .note(
                        "\(server.key) is served but not announced, so controllers do not find it.",
                        remedy:
                            "Start it without --advertise off, or read the lines that begin with 'Network:' in its log."
                    )
                continue
            }
            diagnostics.append(
                ports?.contains(service.port) ?? true
                    ? Self.discovery.ok("\(server.key) is announced as \(CheckResult.quotedExcerpt(service.name)).")
                    : Self.discovery
                        .problem(
                            "\(server.key) is announced with port \(service.port), but no process listens there.",
                            remedy: "Restart the server; restart the Avahi daemon if this remains."
                        )
            )
            diagnostics += AnnouncementCheck(service: service).results.filter { $0.state != .ok }
        }
        return diagnostics
    }
}

/// What listens on a port.
struct PortUser: Sendable, Hashable {
    let name: String
    let isDriver: Bool

    init(_ name: String, isDriver: Bool = false) {
        (self.name, self.isDriver) = (name, isDriver)
    }
}

extension AdvertiseMode {
    /// Creates the value of `--advertise` on the command line of a process.
    ///
    /// Returns `nil` if there is no such option, or if the command line cannot be read.
    fileprivate init?(ofProcess id: Int32) {
        guard let data = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") else { return nil }
        let words = data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let values = words.indices.compactMap { index -> AdvertiseMode? in
            if words[index].hasPrefix("--advertise=") {
                return AdvertiseMode(rawValue: String(words[index].dropFirst("--advertise=".count)))
            }
            guard words[index] == "--advertise", words.indices.contains(index + 1) else { return nil }
            return AdvertiseMode(rawValue: words[index + 1])
        }
        guard let last = values.last else { return nil }
        self = last
    }
}
