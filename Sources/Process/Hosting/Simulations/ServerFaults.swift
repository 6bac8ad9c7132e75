internal import AccessoryModel
package import HAPServer
package import Simulation

/// The control that adds faults to a running server and removes them.
package struct ServerFaults: Sendable {
    /// The server.
    package let server: AccessoryServer
    /// The fault injection that the server was started with.
    package let injector: FaultInjector

    /// Creates a control; the server must have been started with this injector.
    package init(of server: AccessoryServer, by injector: FaultInjector) {
        self.server = server
        self.injector = injector
    }

    /// Adds a fault, and returns when it is in effect.
    ///
    /// A reboot or a lost network is in effect when the server cannot be reached; it comes back by itself.
    @discardableResult
    package func inject(_ fault: Fault) async -> FaultID {
        let id = injector.add(fault, in: await context, at: await server.behaviorTime)
        switch fault.effect {
        case .closeConnections: await server.closeAllConnections()
        case .forgetPairings: await server.forgetPairings()
        case .latency, .status, .silence, .halfResponse, .resetInResponse, .corruptFrame, .slowPairSetup, .unreachable,
            .dropEvents, .delayEvents, .duplicateEvents, .echoEvents, .eventsAfterUnsubscribe, .refuseConnections,
            .connectionLimit, .networkLoss, .reboot, .configurationNumber, .statusFlag, .wrongPort, .vanish, .driver,
            .quirk:
            break
        }
        await server.updateConditions()
        return id
    }

    /// Removes faults, and returns their number once they have ended.
    @discardableResult
    package func clear(where matches: @Sendable (ActiveFault) -> Bool = { _ in true }) async -> Int {
        let count = injector.clear(where: matches)
        await server.updateConditions()
        return count
    }

    /// Removes the faults with a name, or within a scope, or all faults, and returns their number.
    package func clear(named name: String?, in scope: FaultScope?) async -> Int {
        let ground = await context
        return await clear { entry in
            (name == nil || entry.fault.effect.name == name)
                && (scope.map { ground.contains(entry.fault.scope, in: $0) } ?? true)
        }
    }

    /// Updates the faults' context; must be called after the server's accessories were replaced.
    package func accessoriesChanged() async {
        injector.setContext(await context)
    }

    /// What active faults do to new sessions.
    package enum ConnectionEffect: Sendable {
        /// Connections are closed before there is a session.
        case refused
        /// Requests are not answered, which a controller notices after a timeout.
        case silent
    }

    /// What active faults do to new sessions; `nil` if controllers can connect.
    package var connectionEffect: ConnectionEffect? {
        var effect: ConnectionEffect?
        for entry in active {
            switch entry.fault.effect {
            case .refuseConnections, .connectionLimit: return .refused
            case .silence, .halfResponse, .resetInResponse: effect = .silent
            default: break
            }
        }
        return effect
    }

    /// The active faults, in the order in which they were added.
    package var active: [ActiveFault] {
        injector.active
    }

    private var context: FaultContext {
        get async {
            var ground = FaultContext()
            let attributes = await server.attributes
            for characteristic in attributes.characteristics {
                ground.services[characteristic.id] = attributes.services[characteristic.service].key
                if characteristic.metadata.format == .bool {
                    ground.booleans.insert(characteristic.id)
                }
                if characteristic.isButton {
                    ground.buttons.insert(characteristic.id)
                }
            }
            return ground
        }
    }
}
