internal import HAPCore
package import Simulation

extension SimulationStage {
    func begin(_ wish: FaultWish) async throws(SimulationError) -> String {
        let (definition, object) = try names.scope(of: wish)
        let effect = definition.effect(arguments: wish.arguments)
        let standard = definition.standardLimit
        let limit =
            wish.count == nil && wish.duration == nil
            ? standard : FaultLimit(count: wish.count, duration: wish.duration)
        for (place, member) in members.enumerated() where object == nil || object?.server == place {
            guard let faults = member.faults else {
                throw SimulationError(
                    .refused,
                    "\(member.name) was started without faults.",
                    "Start it with a scenario, or in a terminal."
                )
            }
            await faults.inject(Fault(effect, on: object?.faultScope ?? .server, limit: limit))
        }
        let place = object.map { " on \(names.text(of: $0))" } ?? ""
        let times = definition.occurrence == .momentary ? "once" : limit.description
        return "Fault \(wish.name)\(place), \(times)."
    }

    func clear(_ name: String?, _ target: SimulationTarget?) async throws(SimulationError) -> String {
        let object = try target.map { target throws(SimulationError) in try names.resolve(target) }
        var count = 0
        for (place, member) in members.enumerated() where object == nil || object?.server == place {
            let scope = object?.faultScope
            count += await member.faults?.clear(named: name, in: scope == .server ? nil : scope) ?? 0
        }
        return count == 0 ? "There was no such fault." : "\(count) \(count == 1 ? "fault is" : "faults are") over."
    }
}

extension SimulationObject {
    /// The same, as faults have it.
    package var faultScope: FaultScope {
        switch self {
        case .server: .server
        case .accessory(_, let aid): .accessory(aid)
        case .service(_, let aid, let key): .service(aid, key)
        case .characteristic(let place): .characteristic(place.id)
        }
    }
}
