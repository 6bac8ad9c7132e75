import SimulationRuntime

extension ServerFleet {
    /// The servers as what is acted on, with a home that runs by itself beside.
    func stage(_ home: LiveHome? = nil) async -> SimulationStage {
        await SimulationStage(
            servers.map { running in
                SimulationMember(
                    running.server,
                    name: running.served.name,
                    accessories: running.served.accessories,
                    faults: running.injector.map { ServerFaults(of: running.server, by: $0) }
                )
            },
            home: home
        )
    }
}
