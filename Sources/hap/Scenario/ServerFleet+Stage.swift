import SimulationRunning

extension ServerFleet {
    /// The servers as what is acted on.
    func stage() async -> SimulationStage {
        await SimulationStage(
            servers.map { running in
                SimulationMember(
                    running.server,
                    name: running.served.name,
                    accessories: running.served.accessories,
                    faults: running.injector.map { ServerFaults(of: running.server, by: $0) }
                )
            }
        )
    }
}
