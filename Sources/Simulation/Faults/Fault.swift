package import AccessoryModel
package import HAPCore

/// Something that a server is to do wrong on purpose.
package struct Fault: Sendable, Hashable {
    /// What goes wrong.
    package var effect: FaultEffect
    /// Where.
    package var scope: FaultScope
    /// For how long.
    package var limit: FaultLimit

    /// Creates a fault; without a limit it lasts until it is cleared.
    package init(_ effect: FaultEffect, on scope: FaultScope = .server, limit: FaultLimit = FaultLimit()) {
        self.effect = effect
        self.scope = scope
        self.limit = limit
    }

    /// What a log calls it, such as `latency` or `latency on accessory 2`.
    package var name: String {
        scope == .server ? effect.name : "\(effect.name) on \(scope)"
    }
}

/// How much of a server a fault concerns.
package enum FaultScope: Sendable, Hashable {
    /// All of it.
    case server
    /// One accessory.
    case accessory(AccessoryID)
    /// One service of an accessory.
    case service(AccessoryID, ServiceKey)
    /// One characteristic.
    case characteristic(CharacteristicID)
}

extension FaultScope: CustomStringConvertible {
    /// Where it is in ids, such as `accessory 2` or `characteristic 2.10`.
    package var description: String {
        switch self {
        case .server: "the server"
        case .accessory(let aid): "accessory \(aid)"
        case .service(let aid, let key): "service \(key.type) of accessory \(aid)"
        case .characteristic(let id): "characteristic \(id)"
        }
    }
}

/// When a fault is over by itself; whatever comes first.
///
/// Without either it lasts until it is cleared.
package struct FaultLimit: Sendable, Hashable {
    /// How often it acts, at least 1; `nil` for as often as there is something to act on.
    package var count: Int?
    /// For how long, on the clock of the simulation.
    package var duration: Duration?

    /// Creates a limit; without arguments there is none.
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
