internal import AccessoryModel
package import HAPServer
package import Simulation

/// Puts faults on a running server and takes them away again.
package struct ServerFaults: Sendable {
    /// The server.
    package let server: AccessoryServer
    /// What the server was started with as its interference.
    package let injector: FaultInjector

    /// Creates a control; the server must have been started with this injector.
    package init(of server: AccessoryServer, by injector: FaultInjector) {
        self.server = server
        self.injector = injector
    }

    /// Lets something go wrong from now on; returns when it does.
    ///
    /// Of a reboot or a lost network that is when the server is away: it comes back by itself.
    @discardableResult
    package func inject(_ fault: Fault) async -> FaultID {
        let id = injector.add(fault, on: await context, at: await server.behaviorTime)
        switch fault.effect {
        case .closeConnections: await server.closeAllConnections()
        case .forgetPairings: await server.forgetPairings()
        case .latency, .status, .silence, .halfResponse, .resetInResponse, .corruptFrame, .slowPairSetup, .unreachable,
            .dropEvents, .delayEvents, .duplicateEvents, .echoEvents, .eventsAfterUnsubscribe, .refuseConnections,
            .connectionLimit, .networkLoss, .reboot, .configurationNumber, .statusFlag, .wrongPort, .vanish, .quirk:
            break
        }
        await server.updateConditions()
        return id
    }

    /// Ends faults before their time; returns how many, when they are over.
    @discardableResult
    package func clear(where matches: @Sendable (ActiveFault) -> Bool = { _ in true }) async -> Int {
        let count = injector.clear(where: matches)
        await server.updateConditions()
        return count
    }

    /// Ends faults before their time: those of a name, those put on a scope or something in it, or all; returns how many.
    package func clear(named name: String?, in scope: FaultScope?) async -> Int {
        let ground = await context
        return await clear { entry in
            (name == nil || entry.fault.effect.name == name)
                && (scope.map { ground.contains(entry.fault.scope, in: $0) } ?? true)
        }
    }

    /// Lets the faults on services know what the server has now; to be called when its accessories were replaced.
    package func accessoriesChanged() async {
        injector.setContext(await context)
    }

    /// The faults that are not over, in the order in which they were added.
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
            }
            return ground
        }
    }
}
