import SimulationRunning

extension ServerFleet {
    /// The servers as what is acted on.
    func stage() async -> SimulationStage {
        await SimulationStage(
            servers.map { SimulationMember($0.server, name: $0.served.name, accessories: $0.served.accessories) }
        )
    }
}
