internal import HAPCore
package import Simulation

extension AccessoryHost {
    func inject(_ request: FaultRequest) async throws(SimulationError) -> String {
        let names = names
        let (definition, object) = try names.resolveFault(of: request)
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

    func clearFaults(_ name: String?, _ target: SimulationTarget?) async throws(SimulationError) -> String {
        let object = try target.map { target throws(SimulationError) in try names.resolve(target) }
        var count = 0
        for server in servers where object == nil || object?.server == server.id {
            let scope = object?.faultScope
            count += await server.faults.clear(named: name, in: scope == .server ? nil : scope)
        }
        return count == 0 ? "No such fault was active." : "\(count) \(count == 1 ? "fault has" : "faults have") ended."
    }
}

extension AccessoryHost {
    /// Returns a text that names what a fault on one of the servers affects, and nothing else; `nil` if there is none.
    ///
    /// - Parameter id: The number of the server.
    package func target(of fault: Fault, on id: Int) -> SimulationTarget? {
        names.target(of: SimulationObject(fault.scope, on: id))
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
