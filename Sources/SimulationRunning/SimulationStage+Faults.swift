internal import HAPCore
package import Simulation

extension SimulationStage {
    /// Refuses what no fault can be: a name that nobody knows, something that it cannot be put on.
    ///
    /// - Throws: ``SimulationError``.
    package static func check(_ action: SimulationAction, _ names: SimulationNames) throws(SimulationError) {
        guard case .fault(let wish) = action else { return }
        let definition = try definition(wish)
        try checkLimit(wish, definition)
        guard let target = wish.target else {
            guard definition.scopes.contains(.server) else { throw wrongScope(definition) }
            return
        }
        let kinds = Set(definition.scopes.map(\.objectKind))
        _ = try names.resolve(target, as: kinds)
    }

    func begin(_ wish: FaultWish) async throws(SimulationError) -> String {
        let definition = try Self.definition(wish)
        try Self.check(.fault(wish), names)
        let effect = definition.effect(arguments: wish.arguments)
        let standard = definition.standardLimit
        let limit =
            wish.count == nil && wish.duration == nil
            ? standard : FaultLimit(count: wish.count, duration: wish.duration)
        let object = try wish.target
            .map { target throws(SimulationError) in
                try names.resolve(target, as: Set(definition.scopes.map(\.objectKind)))
            }
        for (place, member) in members.enumerated() where object == nil || object?.server == place {
            guard let faults = member.faults else {
                throw SimulationError(
                    .refused,
                    "\(member.name) was started without faults.",
                    "Start it with a scenario, or in a terminal."
                )
            }
            try await faults.begin(Fault(effect, on: object?.faultScope ?? .server, limit: limit))
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

    private static func definition(_ wish: FaultWish) throws(SimulationError) -> FaultDefinition {
        guard let definition = FaultCatalogue.definition(named: wish.name) else {
            throw SimulationError(
                .unknownName,
                "There is no fault \"\(String(wish.name.prefix(100)))\".",
                "There are: \(FaultCatalogue.definitions.map(\.name).joined(separator: ", "))."
            )
        }
        return definition
    }

    private static func checkLimit(_ wish: FaultWish, _ definition: FaultDefinition) throws(SimulationError) {
        if wish.count != nil, !definition.occurrence.takesCount {
            throw SimulationError(.refused, "\(wish.name) does not act several times.", "Leave the count away.")
        }
        if wish.duration != nil, !definition.occurrence.takesDuration {
            throw SimulationError(.refused, "\(wish.name) is over by itself.", "Leave the duration away.")
        }
    }

    private static func wrongScope(_ definition: FaultDefinition) -> SimulationError {
        let kinds = definition.scopes.map(\.rawValue).joined(separator: " or ")
        return SimulationError(.refused, "\(definition.name) is put on one thing.", "Name a \(kinds).")
    }
}

extension FaultScope.Kind {
    var objectKind: SimulationObject.Kind {
        switch self {
        case .server: .server
        case .accessory: .accessory
        case .service: .service
        case .characteristic: .characteristic
        }
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
