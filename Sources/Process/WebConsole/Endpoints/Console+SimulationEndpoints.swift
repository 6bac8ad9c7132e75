internal import AccessoryFiles
internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HAPServer
internal import HTTPTypes
internal import Hosting
internal import Resources
internal import Simulation
internal import Synchronization

extension Console {
    static let simulationEndpoints: [Endpoint] = [
        Endpoint(
            .post,
            "/api/v1/commands",
            "Performs a command of the prompt, such as press, obstruct, fault, advance or show",
            body: BodyFormat.command,
            result: ("The answer.", CommandResource.format)
        ) { command, _, console in
            switch try await console.perform(command) {
            case .nothing: return CommandResource(message: "")
            case .done(let text), .shown(let text): return CommandResource(message: text)
            case .quit: throw SimulationError(.refused, "The API cannot end the process.", "Stop the process itself.")
            }
        },
        Endpoint(
            .post,
            "/api/v1/servers/{server}/services/{service}/actions",
            "Does something with a simulated device: presses its button, stops or obstructs it",
            body: BodyFormat.action,
            result: ("What was done.", CommandResource.format)
        ) { command, request, console in
            let host = try console.serving()
            let key = try console.server(request["server"]).key
            guard let id = CharacteristicID(parsing: request["service"]),
                case .service(let server, let aid, let service) = try await console.object(
                    key,
                    id.aid.rawValue,
                    id.iid.rawValue
                )
            else { throw Problem.unknown("service", "GET …/accessories lists them") }
            let object = SimulationObject.service(server: server, aid, service)
            let text = try await host.perform(.command(command, on: object))
            let name = SimulationTarget(host.names.text(of: object))
            console.journal.append(.command(ScenarioText.text(of: .command(command, on: name)), message: text))
            return CommandResource(message: text)
        },
        Endpoint(
            .get,
            "/api/v1/fault-kinds",
            "Lists the faults that can be injected, with their parameters",
            result: ("The kinds of faults.", .list(of: FaultKindResource.format))
        ) { _, _ in
            FaultKindResource.all
        },
        Endpoint(
            .get,
            "/api/v1/faults",
            "Lists the active faults and quirks",
            result: ("The active faults.", .list(of: FaultResource.format))
        ) { _, console in
            await console.faults()
        },
        Endpoint(
            .post,
            "/api/v1/faults",
            "Injects a fault",
            body: FaultInjectionRequest.format,
            result: ("What was injected.", CommandResource.format)
        ) { fault, _, console in
            let host = try console.serving()
            let object = try await console.object(fault.server, fault.aid, fault.iid)
            let text = try await host.perform(.fault(try fault.faultRequest(on: object)))
            console.journal.append(.faultsChanged(message: text))
            return CommandResource(message: text)
        },
        Endpoint(
            .delete,
            "/api/v1/faults",
            "Ends faults: those of a name, those of an object, or all",
            query: [
                .query("name", "The name of the faults. Default: all."),
                .query("server", "The key of a server. Default: all servers."),
                .id("aid", "The id of an accessory. Default: the whole server."),
                .id("iid", "The id of a service or a characteristic. Default: the whole accessory."),
            ],
            result: ("How many have ended.", CommandResource.format)
        ) { request, console in
            let host = try console.serving()
            let object = try await console.object(
                request.query["server"],
                try request.id("aid"),
                try request.id("iid")
            )
            let name = try request.query["name"].map { try FaultCatalog.lookup($0).name }
            let text = try await host.perform(.clear(fault: name, on: object))
            console.journal.append(.faultsChanged(message: text))
            return CommandResource(message: text)
        },
        Endpoint(
            .get,
            "/api/v1/time",
            "Returns the simulated time",
            result: ("The time.", TimeResource.format)
        ) { _, console in
            try await console.servedTime()
        },
        Endpoint(
            .put,
            "/api/v1/time",
            "Changes the speed of simulated time, or pauses it",
            body: TimeRequest.format,
            result: ("The time after the change.", TimeResource.format)
        ) { change, _, console in
            var actions: [ResolvedAction] = change.scale.map { [.scale($0)] } ?? []
            if let isPaused = change.isPaused { actions.append(isPaused ? .pause : .resume) }
            guard !actions.isEmpty else {
                throw Problem(.unprocessableContent, "nothing-to-change", "Write scale, paused or both.")
            }
            return try await console.changeTime(actions)
        },
        Endpoint(
            .post,
            "/api/v1/time/advance",
            "Advances simulated time at once, with everything that is due until then",
            body: BodyFormat.advance,
            result: ("The time after the advance.", TimeResource.format)
        ) { seconds, _, console in
            try await console.changeTime([.advance(.seconds(seconds))])
        },
        Endpoint(
            .get,
            "/api/v1/scenario",
            "Returns the scenario of the process with its progress",
            result: ("The scenario.", ScenarioResource.format)
        ) { _, console in
            guard let scenario = console.journal.scenario else {
                throw Problem(
                    .notFound,
                    "no-scenario",
                    "This process runs no scenario; start it with 'hap serve --scenario FILE'."
                )
            }
            return scenario
        },
        Endpoint(
            .get,
            "/api/v1/scenarios",
            "Lists the scenarios that were named at the start of the process",
            result: ("The scenarios.", .list(of: NamedScenarioResource.format))
        ) { _, console in
            (console.scenarios?.sources ?? []).map { NamedScenarioResource(name: $0.scenario.name, path: $0.path) }
        },
        Endpoint(
            .post,
            "/api/v1/scenarios/{name}/run",
            "Starts a scenario that was named at the start of the process, unless one is running",
            noContent: "The scenario runs; its file was read again."
        ) { request, console in
            guard let scenarios = console.scenarios else {
                throw Problem.unknown("scenario", "GET /api/v1/scenarios lists them")
            }
            try await scenarios.start(request["name"])
        },
    ]

    /// Performs actions on simulated time, and returns the time after them.
    private func changeTime(_ actions: [ResolvedAction]) async throws -> TimeResource {
        for action in actions {
            let text = try await serving().perform(action)
            journal.append(.timeChanged(message: text))
        }
        return try await servedTime()
    }

    /// Returns the object that ids refer to, or `nil` without a server.
    ///
    /// - Throws: ``Problem`` if there is none.
    func object(
        _ key: String?,
        _ aid: UInt64?,
        _ iid: UInt64?
    ) async throws -> SimulationObject? {
        guard let key else {
            guard aid == nil, iid == nil else {
                throw Problem(.unprocessableContent, "no-server", "An aid or an iid needs a server; add its key.")
            }
            return nil
        }
        let server = try server(key)
        guard let aid else {
            guard iid == nil else {
                throw Problem(.unprocessableContent, "no-accessory", "An iid needs an accessory; add its aid.")
            }
            return .server(server.id)
        }
        let attributes = await server.server.attributes
        guard let accessory = AccessoryID(aid), attributes.accessories.contains(accessory) else {
            throw Problem.unknown("accessory", "GET …/accessories lists them")
        }
        guard let iid else { return .accessory(server: server.id, accessory) }
        if let id = CharacteristicID(aid, iid), attributes.index(of: id) != nil {
            return .characteristic(ServerCharacteristicID(server: server.id, id))
        }
        guard let service = attributes.services.first(where: { $0.aid == accessory && $0.iid.rawValue == iid }) else {
            throw Problem.unknown("service or characteristic", "GET …/accessories lists them")
        }
        return .service(server: server.id, accessory, service.key)
    }

    /// The active faults.
    private func faults() async -> [FaultResource] {
        var resources: [FaultResource] = []
        for server in servers {
            let active = server.faults.active
            guard let names = host?.names, !active.isEmpty else { continue }
            let attributes = await server.server.attributes
            for fault in active {
                let scope = fault.fault.scope
                var object = ObjectReference(server: server.key)
                switch scope {
                case .server: break
                case .accessory(let aid): object.aid = aid.rawValue
                case .service(let aid, let key):
                    object.aid = aid.rawValue
                    object.iid = attributes.service(key, of: aid).map { attributes.services[$0].iid.rawValue }
                case .characteristic(let id): (object.aid, object.iid) = (id.aid.rawValue, id.iid.rawValue)
                }
                let target = names.text(of: SimulationObject(scope, on: server.id))
                resources.append(FaultResource(fault: fault, object: object, target: target))
            }
        }
        return resources
    }

    /// The simulated time, or `nil` if the process serves no accessories.
    func time() async -> TimeResource? {
        guard let server = servers.first else { return nil }
        let (clock, time) = await server.server.behaviorClockSnapshot
        let start = startTime() ?? time
        return TimeResource(
            seconds: MonotonicInstant.zero.duration(to: time) / .seconds(1),
            elapsed: start.duration(to: time) / .seconds(1),
            scale: clock.scale,
            isPaused: clock.isPaused
        )
    }

    /// The time on the simulation's clock at the start of the first server.
    func startTime() -> MonotonicInstant? {
        firstTime.withLock { first in
            first = first ?? servers.first.flatMap { journal.server($0.id)?.startTime }
            return first
        }
    }

    /// Returns the simulated time.
    ///
    /// - Throws: ``Problem`` if no accessory is served.
    private func servedTime() async throws -> TimeResource {
        _ = try serving()
        guard let time = await time() else {
            throw Problem(.conflict, "nothing-served", "No accessory is served now, so there is no time; add one.")
        }
        return time
    }
}

extension FaultInjectionRequest {
    /// Returns the request with its parameters in the form of the fault.
    fileprivate func faultRequest(
        on object: SimulationObject?
    ) throws(SimulationError) -> FaultRequest<ResolvedReferences> {
        let definition = try FaultCatalog.lookup(name)
        var arguments: [String: SimulationArgument] = [:]
        for (key, text) in parameters.sorted(by: { $0.key < $1.key }) {
            arguments[key] = try SimulationArgument(text, of: key, for: definition)
        }
        return FaultRequest(
            definition.name,
            arguments: arguments,
            on: object,
            count: count,
            duration: seconds.map { .seconds($0) }
        )
    }
}
