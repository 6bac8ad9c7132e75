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
            await faults.inject(Fault(effect, on: object?.faultScope ?? .server, limit: limit))
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

extension SimulationObject {
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
