import AccessoryModel
import Discovery
import Documents
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import Resources
import WebConsole

/// The work of `hap home add-accessory --all`: pairs with all servers of a running `hap serve`, and places them.
struct HomeAddAllAccessories: Sendable {
    let options: HomeOptions
    /// The state folder of the running process, or `nil` for the only one.
    let folder: String?

    /// What was done with an accessory.
    private enum Result: String, Sendable, CaseIterable {
        case paired, placed, unchanged, failed, pairedElsewhere, codeUnknown

        func text(alias: String?, home: ObjectName) -> String {
            switch self {
            case .paired: "paired as \(alias ?? "")"
            case .placed: "placed, was already paired"
            case .unchanged: "already in \(home)"
            case .failed: "not added"
            case .pairedElsewhere: "not added, paired with another controller"
            case .codeUnknown: "not added, its setup code is not known"
            }
        }
    }

    /// The words for what was done with an accessory.
    fileprivate static let outcomes = Result.allCases.map(\.rawValue)

    /// The result for a server of the running process, or for an accessory that announces itself.
    private struct Outcome: Sendable {
        var name: String
        var deviceID: DeviceID?
        var result: Result
        var server: BackendServer?
        var failure: CommandFailure?
        var effects: [EditEffect] = []

        init(_ served: ServedServer, failure: CommandFailure) {
            (name, deviceID) = (served.name, served.deviceID)
            self.failure = failure
            result = .failed
        }

        init(_ served: ServedServer, _ result: Result, _ server: BackendServer? = nil) {
            (name, deviceID) = (served.name, served.deviceID)
            self.result = result
            self.server = server
            if let reason = server?.failure {
                self.result = .failed
                failure = .unavailable(reason.escapingControlCharacters)
            }
        }

        init(unknown accessory: DiscoveredAccessory) {
            (name, deviceID) = (accessory.name, accessory.deviceID)
            result = .codeUnknown
        }
    }

    /// - Throws: ``CommandFailure`` if there is no home or no process, or, after the report, if an accessory could not
    ///   be added.
    func run() async throws {
        let (process, servers) = try await process(for: try await existingHome())
        var outcomes = try await pair(servers)
        let home = try await place(&outcomes)
        try report(outcomes, in: home, of: process)
        let failed = outcomes.filter { [.failed, .pairedElsewhere].contains($0.result) }
        guard let first = failed.first else { return }
        throw CommandFailure(
            first.failure?.code ?? .refused,
            "\(failed.count) of \(servers.count) accessories were not added."
        )
    }

    private func existingHome() async throws -> Home {
        let homes = try await options.homes().homes
        guard !homes.homes.isEmpty else {
            throw CommandFailure.usage(
                "There is no home yet; import one, for example with 'hap home import Config/home.yaml', or add one with "
                    + "'hap home add home NAME'."
            )
        }
        return try options.home(in: homes)
    }

    /// Returns the process whose accessories to add, and its servers.
    ///
    /// If several run, this is the one that serves most accessories of the home.
    private func process(for home: Home) async throws -> (RunningProcess, [ServedServer]) {
        if let folder {
            let process = try RunningProcess.only([.serve], state: folder, option: "--served-from")
            return (process, try await process.servers())
        }
        let found = RunningProcess.running([.serve], in: nil)
        if found.count == 1 { return (found[0], try await found[0].servers()) }
        var matches: [(process: RunningProcess, servers: [ServedServer], count: Int)] = []
        for process in found {
            // A process that ends meanwhile is not the one.
            guard let servers = try? await process.servers() else { continue }
            matches.append((process, servers, count(of: servers, in: home)))
        }
        let most = matches.map(\.count).max() ?? 0
        let best = matches.filter { $0.count == most }
        if best.count == 1, most > 0 { return (best[0].process, best[0].servers) }
        guard !best.isEmpty else {
            throw CommandFailure.unavailable(
                "No 'hap serve' of this user runs; start one with 'hap serve --home FILE', or name its state folder with "
                    + "--served-from."
            )
        }
        let list = best.map { "\n  --served-from \($0.process.folder.escapingControlCharacters)" }
        throw CommandFailure.usage("\(best.count) processes run; choose one of these:\(list.joined())")
    }

    /// Returns the number of servers whose accessories are in a home, or are expected there by their names.
    private func count(of servers: [ServedServer], in home: Home) -> Int {
        let known = Set(home.accessories.compactMap { $0.reference?.server })
        let expected = Set(
            home.accessories.filter { $0.reference == nil }.map { ObjectName.key(of: $0.alias ?? $0.name.text) }
        )
        return servers.count { server in
            server.deviceID.map(known.contains) == true || expected.contains(ObjectName.key(of: server.name))
        }
    }

    // MARK: Pairing

    /// Pairs with all servers that are not paired, one after the other.
    private func pair(_ servers: [ServedServer]) async throws -> [Outcome] {
        let line = ProgressLine()
        defer { line.clear() }
        return try await options.controller.withController { controller in
            // Others may announce themselves meanwhile. Without a daemon, nothing is found.
            async let announced = try? DiscoveryResults.search().accessories
            var outcomes: [Outcome] = []
            for (index, server) in servers.enumerated() {
                let title = "\(server.name) (\(index + 1) of \(servers.count)): "
                outcomes.append(
                    await pair(server, in: controller) { line.show(title + $0.text) }
                )
            }
            let known = Set(servers.compactMap(\.deviceID))
            let others = await announced ?? []
            return outcomes
                + others.filter { $0.isPaired == false && $0.deviceID.map { !known.contains($0) } ?? true }
                .map { Outcome(unknown: $0) }
        }
    }

    private func pair(
        _ server: ServedServer,
        in controller: Controller,
        _ onProgress: @escaping @Sendable (PairingProgress) -> Void
    ) async -> Outcome {
        do {
            let stored = try await controller.pairings().first { $0.deviceID == server.deviceID }
            let backend = NetworkBackend(controller)
            if server.isPaired {
                guard let stored, let id = stored.deviceID else { return Outcome(server, .pairedElsewhere) }
                return Outcome(server, .placed, await backend.server(id, alias: stored.alias))
            }
            guard let code = server.setupCode else {
                throw CommandFailure.failed("The process has no valid setup code for it.")
            }
            let alias = try await pair(server, with: .code(code), in: controller, onProgress)
            guard let id = try await controller.accessory(alias).pairing.deviceID else {
                throw CommandFailure.failed("The accessory has no valid device ID, which a home needs.")
            }
            return Outcome(server, .paired, await backend.server(id, alias: alias))
        } catch {
            return Outcome(server, failure: CommandFailure(error))
        }
    }

    /// Pairs with a server on this machine, or, if it listens on other addresses only, by its announcement.
    ///
    /// - Returns: The alias.
    private func pair(
        _ server: ServedServer,
        with setup: SetupInput,
        in controller: Controller,
        _ onProgress: @escaping @Sendable (PairingProgress) -> Void
    ) async throws -> String {
        let local = AccessoryTarget.address(host: "127.0.0.1", port: server.port)
        do {
            return try await Pair.pair(local, with: setup, in: controller, onProgress).alias
        } catch {
            guard CommandFailure(error).code == .unavailable, server.isAdvertised, let id = server.deviceID
            else { throw error }
            return try await Pair.pair(.device(id), with: setup, in: controller, onProgress).alias
        }
    }

    // MARK: Placing

    /// Places the accessories that could be read, each in a transaction of its own.
    private func place(_ outcomes: inout [Outcome]) async throws -> Home {
        let before = try await options.homes().homes
        for index in outcomes.indices where outcomes[index].result != .failed {
            guard let server = outcomes[index].server else { continue }
            do {
                let (placed, _) = try await options.edit { home throws(HomeError) in
                    try AccessoryPlacementOptions(services: []).addServer(server, to: &home)
                }
                outcomes[index].effects = placed.effects.filter { if case .serviceAdded = $0 { false } else { true } }
                if placed.isEmpty, outcomes[index].result == .placed { outcomes[index].result = .unchanged }
            } catch {
                outcomes[index].failure = CommandFailure(error)
                outcomes[index].result = .failed
            }
        }
        let after = try await options.homes().homes
        await OtherHomes.warnOfChange(from: before, to: after)
        return try options.home(in: after)
    }

    private func report(
        _ outcomes: [Outcome],
        in home: Home,
        of process: RunningProcess
    ) throws {
        let missing = home.accessories.filter { $0.reference == nil }.map(\.name.text)
        let rows = outcomes.map { outcome in
            let placed = outcome.server.map { server in
                home.accessories.filter { $0.reference?.server == server.id }
                    .flatMap { HomeAddAccessory.services(of: $0, in: home) }
            }
            return (outcome, services: placed ?? [])
        }
        let table = rows.map { outcome, services in
            [
                outcome.name, outcome.result.text(alias: outcome.server?.alias, home: home.name),
                services.map { "\($0.name) (\($0.room))" }.joined(separator: ", "),
            ]
        }
        var lines = outcomes.compactMap { outcome in
            outcome.failure.map { "\(outcome.name): \($0.message)" }
        }
        if outcomes.contains(where: { $0.result == .pairedElsewhere }) {
            lines.append(
                "Remove the pairings with another controller there, or with 'hap reset --pairings --state "
                    + "\(process.folder)', and run this command again."
            )
        }
        if outcomes.contains(where: { $0.result == .codeUnknown }) {
            lines.append("Add an accessory whose setup code is not known with 'hap home add-accessory NAME CODE'.")
        }
        lines += outcomes.flatMap(\.effects).map(\.description)
        if !missing.isEmpty { lines.append("Not found yet: \(missing.joined(separator: ", ")).") }
        let text = (TextTable.lines(table, indentation: 0) + lines).map { "\($0.escapingControlCharacters)\n" }.joined()
        let resource = AddedAccessories(
            home: home.name.text,
            accessories: rows.map { outcome, services in
                AddedAccessories.Entry(
                    name: outcome.name,
                    deviceID: outcome.deviceID?.description,
                    outcome: outcome.result.rawValue,
                    alias: outcome.server?.alias,
                    message: outcome.failure?.message,
                    services: services
                )
            },
            notFound: missing,
            effects: outcomes.flatMap(\.effects).map(\.description)
        )
        try options.controller.write(text, resource, AddedAccessories.format)
    }
}

// MARK: JSON

/// The accessories of a process after they were added to a home.
struct AddedAccessories: Sendable {
    /// An accessory, and what was done with it.
    struct Entry: Sendable {
        var name: String
        var deviceID: String?
        var outcome: String
        var alias: String?
        var message: String?
        var services: [PlacedService]
    }

    var home: String
    var accessories: [Entry]
    var notFound: [String]
    var effects: [String]

    static let format = Format<AddedAccessories>(
        response: "AddedAccessories",
        .written("home", \.home, .string, "The home."),
        .written("accessories", \.accessories, .list(of: entry), "What was done with each accessory."),
        .written("notFound", \.notFound, .list(of: .string), "The accessories of the home that are not found yet."),
        .written("effects", \.effects, .list(of: .string), "What else has changed, in sentences.")
    )

    private static let entry = Format<Entry>(
        response: "AddedAccessoryOutcome",
        .written("name", \.name, .string, "The name of the accessory."),
        .written("deviceID", \.deviceID, .string, "Its device ID."),
        .written("outcome", \.outcome, .word(HomeAddAllAccessories.outcomes), "What was done."),
        .written("alias", \.alias, .string, "The alias, if it is paired."),
        .written("message", \.message, .string, "Why it was not added."),
        .written("services", \.services, .list(of: PlacedService.format), "Its services in the home.")
    )
}
