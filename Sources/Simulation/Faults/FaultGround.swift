package import AccessoryModel
package import HAPCore

/// What a board knows of the server that its faults are put on.
package struct FaultGround: Sendable, Hashable {
    /// The service that each characteristic belongs to.
    package var services: [CharacteristicID: ServiceKey]
    /// The characteristics of the format bool.
    package var booleans: Set<CharacteristicID>

    /// Creates a ground; without arguments, faults on services concern nothing.
    package init(services: [CharacteristicID: ServiceKey] = [:], booleans: Set<CharacteristicID> = []) {
        self.services = services
        self.booleans = booleans
    }

    /// Whether a characteristic is within a scope.
    func contains(_ id: CharacteristicID, in scope: FaultScope) -> Bool {
        switch scope {
        case .server: true
        case .accessory(let aid): id.aid == aid
        case .service(let aid, let key): id.aid == aid && services[id] == key
        case .characteristic(let characteristic): id == characteristic
        }
    }

    /// Whether everything that one scope concerns is concerned by another.
    package func contains(_ inner: FaultScope, in outer: FaultScope) -> Bool {
        switch (outer, inner) {
        case (_, .characteristic(let id)): contains(id, in: outer)
        case (.server, _): true
        case (.accessory(let aid), .accessory(let other)), (.accessory(let aid), .service(let other, _)): aid == other
        case (.service, .service): outer == inner
        case (.accessory, .server), (.service, .server), (.service, .accessory), (.characteristic, _): false
        }
    }
}
