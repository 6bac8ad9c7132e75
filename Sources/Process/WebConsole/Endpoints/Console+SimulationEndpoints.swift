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
            method: .post,
            path: "/api/v1/commands",
            summary: "Performs a command of the prompt, such as press, obstruct, fault, advance or show",
            body: CommandRequest.format.schema,
            success: .json("The answer.", CommandResource.format),
            errors: simulationErrors
        ) { request, console throws(Problem) in
            let command = try request.read(CommandRequest.format).command
            return try await simulating { () async throws(SimulationError) -> APIResponse in
                switch try await console.perform(command) {
                case .nothing: return .json(CommandResource(message: ""), CommandResource.format)
                case .done(let text), .shown(let text):
                    return .json(CommandResource(message: text), CommandResource.format)
                case .quit:
                    throw SimulationError(.refused, "The API cannot end the process.", "Stop the process itself.")
                }
            }
        },
        Endpoint(
            method: .post,
            path: "/api/v1/servers/{server}/services/{service}/actions",
            summary: "Does something with a simulated device: presses its button, stops or obstructs it",
            parameters: [server, .path("service", "The service as aid.iid.")],
            body: ActionRequest.format.schema,
            success: .json("What was done.", CommandResource.format),
            errors: simulationErrors
        ) { request, console throws(Problem) in
            let command = try request.read(ActionRequest.format).command
            let host = try console.serving()
            let key = try console.server(request["server"]).key
            guard let id = CharacteristicID(parsing: request["service"]),
                case .service(let server, let aid, let service) = try await console.object(
                    key,
                    id.aid.rawValue,
                    id.iid.rawValue
                )
            else { throw .unknown("service", "GET …/accessories lists them") }
            let object = SimulationObject.service(server: server, aid, service)
            return try await simulating { () async throws(SimulationError) in
                let text = try await host.perform(.command(command, on: object))
                let name = SimulationTarget(host.names.text(of: object))
                console.journal.append(
                    .command(ScenarioText.text(of: .command(command, on: name)), message: text)
                )
                return .json(CommandResource(message: text), CommandResource.format)
            }
        },
        Endpoint(
            method: .get,
            path: "/api/v1/fault-kinds",
            summary: "Lists the faults that can be injected, with their parameters",
            success: .json("The kinds of faults.", .list(of: FaultKindResource.format))
        ) { _, _ in
            .json(
                FaultCatalog.definitions.map { FaultKindResource(definition: $0) },
                .list(of: FaultKindResource.format)
            )
        },
        Endpoint(
            method: .get,
            path: "/api/v1/faults",
            summary: "Lists the active faults and quirks",
            success: .json("The active faults.", .list(of: FaultResource.format))
        ) { _, console in
            .json(await console.faults(), .list(of: FaultResource.format))
        },
        Endpoint(
            method: .post,
            path: "/api/v1/faults",
            summary: "Injects a fault",
            body: FaultInjectionRequest.format.schema,
            success: .json("What was injected.", CommandResource.format),
            errors: simulationErrors
        ) { request, console throws(Problem) in
            let fault = try request.read(FaultInjectionRequest.format)
            let host = try console.serving()
            let object = try await console.object(fault.server, fault.aid, fault.iid)
            return try await simulating { () async throws(SimulationError) in
                let text = try await host.perform(.fault(try fault.faultRequest(on: object)))
                console.journal.append(.faultsChanged(message: text))
                return .json(CommandResource(message: text), CommandResource.format)
            }
        },
        Endpoint(
            method: .delete,
            path: "/api/v1/faults",
            summary: "Ends faults: those of a name, those of an object, or all",
            parameters: [
                .query("name", Format<String>.string.schema, "The name of the faults. Default: all."),
                .query("server", Format<String>.string.schema, "The key of a server. Default: all servers."),
                .query(
                    "aid",
                    Format<UInt64>.integer(in: 1...UInt64.max).schema,
                    "The id of an accessory. Default: the whole server."
                ),
                .query(
                    "iid",
                    Format<UInt64>.integer(in: 1...UInt64.max).schema,
                    "The id of a service or a characteristic. Default: the whole accessory."
                ),
            ],
            success: .json("How many have ended.", CommandResource.format),
            errors: simulationErrors + [.badRequest]
        ) { request, console throws(Problem) in
            let host = try console.serving()
            let object = try await console.object(
                request.query["server"],
                try request.id("aid"),
                try request.id("iid")
            )
            return try await simulating { () async throws(SimulationError) in
                let name = try request.query["name"]
                    .map { name throws(SimulationError) in
                        try FaultCatalog.lookup(name).name
                    }
                let text = try await host.perform(.clear(fault: name, on: object))
                console.journal.append(.faultsChanged(message: text))
                return .json(CommandResource(message: text), CommandResource.format)
            }
        },
        Endpoint(
            method: .get,
            path: "/api/v1/time",
            summary: "Returns the simulated time",
            success: .json("The time.", TimeResource.format),
            errors: [.conflict]
        ) { _, console throws(Problem) in
            try await console.timeResponse()
        },
        Endpoint(
            method: .put,
            path: "/api/v1/time",
            summary: "Changes the speed of simulated time, or pauses it",
            body: TimeRequest.format.schema,
            success: .json("The time after the change.", TimeResource.format),
            errors: simulationErrors
        ) { request, console throws(Problem) in
            let change = try request.read(TimeRequest.format)
            guard change.scale != nil || change.isPaused != nil else {
                throw Problem(.unprocessableContent, "nothing-to-change", "Write scale, paused or both.")
            }
            if let scale = change.scale { try await console.changeTime(.scale(scale)) }
            if let isPaused = change.isPaused { try await console.changeTime(isPaused ? .pause : .resume) }
            return try await console.timeResponse()
        },
        Endpoint(
            method: .post,
            path: "/api/v1/time/advance",
            summary: "Advances simulated time at once, with everything that is due until then",
            body: AdvanceRequest.format.schema,
            success: .json("The time after the advance.", TimeResource.format),
            errors: simulationErrors
        ) { request, console throws(Problem) in
            let seconds = try request.read(AdvanceRequest.format).seconds
            try await console.changeTime(.advance(.seconds(seconds)))
            return try await console.timeResponse()
        },
        Endpoint(
            method: .get,
            path: "/api/v1/scenario",
            summary: "Returns the scenario of the process with its progress",
            success: .json("The scenario.", ScenarioResource.format),
            errors: [.notFound]
        ) { _, console throws(Problem) in
            guard let scenario = console.journal.scenario else {
                throw Problem(
                    .notFound,
                    "no-scenario",
                    "This process runs no scenario; start it with 'hap serve --scenario FILE'."
                )
            }
            return .json(scenario.resource, ScenarioResource.format)
        },
    ]

    private static let simulationErrors: [WebResponse.Status] = [
        .notFound, .conflict, .unprocessableContent, .serviceUnavailable,
    ]

    /// Converts the errors of an action to problems.
    private static func simulating(
        _ action: () async throws(SimulationError) -> APIResponse
    ) async throws(Problem) -> APIResponse {
        do throws(SimulationError) {
            return try await action()
        } catch {
            throw Problem(error)
        }
    }

    /// Performs an action on simulated time.
    private func changeTime(_ action: ResolvedAction) async throws(Problem) {
        let host = try serving()
        _ = try await Self.simulating { () async throws(SimulationError) in
            journal.append(.timeChanged(message: try await host.perform(action)))
            return .empty
        }
    }

    /// Returns the object that ids refer to, or `nil` without a server.
    ///
    /// - Throws: ``Problem`` if there is none.
    private func object(
        _ key: String?,
        _ aid: UInt64?,
        _ iid: UInt64?
    ) async throws(Problem) -> SimulationObject? {
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
            throw .unknown("accessory", "GET …/accessories lists them")
        }
        guard let iid else { return .accessory(server: server.id, accessory) }
        if let id = CharacteristicID(aid, iid), attributes.index(of: id) != nil {
            return .characteristic(ServerCharacteristicID(server: server.id, id))
        }
        guard let service = attributes.services.first(where: { $0.aid == accessory && $0.iid.rawValue == iid }) else {
            throw .unknown("service or characteristic", "GET …/accessories lists them")
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

    private func timeResponse() async throws(Problem) -> APIResponse {
        _ = try serving()
        guard let time = await time() else {
            throw Problem(.conflict, "nothing-served", "No accessory is served now, so there is no time; add one.")
        }
        return .json(time, TimeResource.format)
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
