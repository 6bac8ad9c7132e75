package import AccessoryModel
package import HAPCore

/// A deliberate misbehavior of a server.
package struct Fault: Sendable, Hashable {
    /// The effect of the fault.
    package var effect: FaultEffect
    /// The part of the server that the fault affects.
    package var scope: FaultScope
    /// The limit of the fault.
    package var limit: FaultLimit
    /// The name of what the fault affects, such as `Garage Door`, or `nil` for its ids.
    package var targetName: String?

    /// Creates a fault; without a limit it lasts until it is cleared.
    package init(
        _ effect: FaultEffect,
        on scope: FaultScope = .server,
        named targetName: String? = nil,
        limit: FaultLimit = FaultLimit()
    ) {
        self.effect = effect
        self.scope = scope
        self.targetName = targetName
        self.limit = limit
    }

    /// The name of the fault in logs, such as `latency` or `latency on Garage Door`.
    package var name: String {
        scope == .server ? effect.name : "\(effect.name) on \(targetName ?? scope.description)"
    }
}

/// The part of a server that a fault affects.
package enum FaultScope: Sendable, Hashable {
    /// The whole server.
    case server
    /// One accessory.
    case accessory(AccessoryID)
    /// One service of an accessory.
    case service(AccessoryID, ServiceKey)
    /// One characteristic.
    case characteristic(CharacteristicID)
}

extension FaultScope {
    /// The kind of what the fault affects.
    package var level: NameLevel {
        switch self {
        case .server: .server
        case .accessory: .accessory
        case .service: .service
        case .characteristic: .characteristic
        }
    }
}

extension FaultScope: CustomStringConvertible {
    /// The scope with its ids, such as `accessory 2` or `characteristic 2.10`.
    package var description: String {
        switch self {
        case .server: "the server"
        case .accessory(let aid): "accessory \(aid)"
        case .service(let aid, let key): "service \(key.type) of accessory \(aid)"
        case .characteristic(let id): "characteristic \(id)"
        }
    }
}

/// The limit of a fault: a count or a duration, whichever is reached first.
///
/// Without either, the fault lasts until it is cleared.
package struct FaultLimit: Sendable, Hashable {
    /// The number of times that the fault acts, at least 1; `nil` for no limit.
    package var count: Int?
    /// The duration on the simulation's clock; `nil` for no limit.
    package var duration: Duration?

    /// Creates a limit; without arguments there is no limit.
    package init(count: Int? = nil, duration: Duration? = nil) {
        self.count = count
        self.duration = duration
    }
}

extension FaultLimit: CustomStringConvertible {
    /// The limit in words, such as `3 times, for 10s at most`.
    package var description: String {
        let times = count.map { $0 == 1 ? "once" : "\($0) times" }
        switch (times, duration) {
        case (nil, nil): return "until cleared"
        case (let times?, nil): return times
        case (nil, let duration?): return "for \(ScenarioText.duration(duration))"
        case (let times?, let duration?): return "\(times), for \(ScenarioText.duration(duration)) at most"
        }
    }
}
