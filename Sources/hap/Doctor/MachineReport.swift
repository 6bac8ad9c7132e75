import AccessoryModel
import Discovery
import Foundation
import Storage

/// What `hap doctor` sees of this machine.
enum MachineReport {
    private static let discovery = CheckSubject("Discovery")

    /// Looks at everything that a server needs here.
    ///
    /// - Parameters:
    ///   - advertise: How accessories are advertised; `nil` for what the command line of the running server or the
    ///     configuration says.
    ///   - configuredAdvertise: What the configuration says.
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
        diagnostics += ports(of: servers, configuredPort, holder, held: held)
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

    /// - Parameter held: what the process that holds the state listens on; `nil` when this user may not know.
    private static func ports(
        of servers: [StoredServer],
        _ configuredPort: UInt16?,
        _ holder: StateHolder?,
        held: [ListeningSocket]?
    ) -> [CheckResult] {
        if let held, let holder, held.isEmpty {
            return [
                CheckSubject("Port")
                    .problem(
                        "The state is held by \(holder), which listens on no port.",
                        remedy: "The server is starting, stopping or stuck: ask again, and restart it when this stays."
                    )
            ]
        }
        var users = servers.compactMap { server in server.port.map { (user: server.key, port: $0) } }
        if let held {
            // What a running server listens on counts, and a port that was asked for is not kept.
            users = Set(held.map(\.port)).sorted()
                .map { port in
                    (users.first { $0.port == port }?.user ?? (servers.count == 1 ? servers[0].key : "A server"), port)
                }
        } else if let configuredPort, configuredPort > 0, holder == nil {
            users.removeAll { $0.port == configuredPort }
            users.append(("the configuration file", configuredPort))
        }
        guard !users.isEmpty, let sockets = held ?? ListeningSocket.all() else { return [] }
        return users.map { user, port in
            let candidates = sockets.filter { $0.port == port }
            let socket = candidates.first { !$0.isLoopback } ?? candidates.first
            return PortCheck(
                user: user,
                port: port,
                stateHolder: holder?.processID,
                isHeld: holder != nil,
                socket: socket,
                owner: socket?.findOwner()
            )
            .result
        }
    }

    /// The daemon, and whether it knows the servers that run.
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

    /// What the daemon's answers mean.
    ///
    /// - Parameter ports: those on which the servers that run listen; `nil` when that is not known.
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
                        "\(server.key) is served and not announced, so that controllers do not find it.",
                        remedy:
                            "Start it without --advertise off; else see the lines that begin with 'Network:' in its log."
                    )
                continue
            }
            diagnostics.append(
                ports?.contains(service.port) ?? true
                    ? Self.discovery.ok("\(server.key) is announced as \(CheckResult.quotedExcerpt(service.name)).")
                    : Self.discovery
                        .problem(
                            "\(server.key) is announced with port \(service.port), on which nobody listens.",
                            remedy: "Restart the server; restart the Avahi daemon if this stays."
                        )
            )
            diagnostics += AnnouncementCheck(service: service).results.filter { $0.state != .ok }
        }
        return diagnostics
    }
}

extension AdvertiseMode {
    /// The value of `--advertise` on the command line of a process; `nil` if there is none, or it cannot be read.
    fileprivate init?(ofProcess id: Int32) {
        guard let file = FileHandle(forReadingAtPath: "/proc/\(id)/cmdline"),
            let data = try? file.read(upToCount: 1 << 20)
        else { return nil }
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
