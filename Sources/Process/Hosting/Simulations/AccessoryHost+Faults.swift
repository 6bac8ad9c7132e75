internal import AccessoryModel
internal import HAPCore
package import Simulation

extension AccessoryHost {
    func inject(_ request: FaultRequest<ResolvedReferences>) async throws(SimulationError) -> String {
        let (names, object) = (names, request.target)
        let definition = try request.definition()
        if let object, !definition.scopes.contains(object.kind) {
            throw SimulationError(
                .refused,
                "The fault \(definition.name) cannot affect a single \(object.kind.rawValue).",
                "Name a \(definition.scopes.map(\.rawValue).joined(separator: " or "))."
            )
        }
        let effect = definition.effect(arguments: request.arguments)
        let standard = definition.defaultLimit
        let limit =
            request.count == nil && request.duration == nil
            ? standard : FaultLimit(count: request.count, duration: request.duration)
        for server in servers where object == nil || object?.server == server.id {
            let scope = object?.faultScope ?? .server
            await server.faults.inject(Fault(effect, on: scope, named: object.map(names.text), limit: limit))
        }
        let place = object.map { " on \(names.text(of: $0))" } ?? ""
        let times = definition.occurrence == .momentary ? "once" : limit.description
        return "Fault \(request.name)\(place), \(times)."
    }

    func clearFaults(_ name: String?, on object: SimulationObject?) async -> String {
        var count = 0
        for server in servers where object == nil || object?.server == server.id {
            let scope = object?.faultScope
            count += await server.faults.clear(named: name, in: scope == .server ? nil : scope)
        }
        return count == 0 ? "No such fault was active." : "\(count) \(count == 1 ? "fault has" : "faults have") ended."
    }
}

extension SimulationObject {
    /// Creates the object that is the scope of faults on a server.
    package init(_ scope: FaultScope, on server: HostedServer.ID) {
        switch scope {
        case .server: self = .server(server)
        case .accessory(let aid): self = .accessory(server: server, aid)
        case .service(let aid, let key): self = .service(server: server, aid, key)
        case .characteristic(let id): self = .characteristic(ServerCharacteristicID(server: server, id))
        }
    }

    /// The scope of faults on this object.
    package var faultScope: FaultScope {
        switch self {
        case .server: .server
        case .accessory(_, let aid): .accessory(aid)
        case .service(_, let aid, let key): .service(aid, key)
        case .characteristic(let place): .characteristic(place.id)
        }
    }
}
