internal import HAPCore
package import Simulation

extension SimulationServers {
    func inject(_ request: FaultRequest) async throws(SimulationError) -> String {
        let (definition, object) = try names.resolveFault(of: request)
        let effect = definition.effect(arguments: request.arguments)
        let standard = definition.defaultLimit
        let limit =
            request.count == nil && request.duration == nil
            ? standard : FaultLimit(count: request.count, duration: request.duration)
        for (place, member) in servers.enumerated() where object == nil || object?.server == place {
            guard let faults = member.faults else {
                throw SimulationError(
                    .refused,
                    "Faults are turned off for \(member.name).",
                    "Start it with a scenario, or in a terminal."
                )
            }
            let scope = object?.faultScope ?? .server
            await faults.inject(Fault(effect, on: scope, named: object.map(names.text), limit: limit))
        }
        let place = object.map { " on \(names.text(of: $0))" } ?? ""
        let times = definition.occurrence == .momentary ? "once" : limit.description
        return "Fault \(request.name)\(place), \(times)."
    }

    func clearFaults(_ name: String?, _ target: SimulationTarget?) async throws(SimulationError) -> String {
        let object = try target.map { target throws(SimulationError) in try names.resolve(target) }
        var count = 0
        for (place, member) in servers.enumerated() where object == nil || object?.server == place {
            let scope = object?.faultScope
            count += await member.faults?.clear(named: name, in: scope == .server ? nil : scope) ?? 0
        }
        return count == 0 ? "No such fault was active." : "\(count) \(count == 1 ? "fault has" : "faults have") ended."
    }
}

extension SimulationServers {
    /// Returns a text that names what a fault on one of the servers affects, and nothing else; `nil` if there is none.
    ///
    /// - Parameter place: The position of the server.
    package func target(of fault: Fault, on place: Int) -> SimulationTarget? {
        names.target(of: SimulationObject(fault.scope, on: place))
    }
}

extension SimulationObject {
    /// Creates the object that is the scope of faults on a server.
    init(_ scope: FaultScope, on place: Int) {
        switch scope {
        case .server: self = .server(place)
        case .accessory(let aid): self = .accessory(server: place, aid)
        case .service(let aid, let key): self = .service(server: place, aid, key)
        case .characteristic(let id): self = .characteristic(ServerCharacteristicID(server: place, id))
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
