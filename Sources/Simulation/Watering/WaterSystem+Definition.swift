internal import AccessoryModel

extension WaterSystem {
    /// What files and people are told of an irrigation system.
    static let irrigation = SimulationModelDefinition(
        "irrigation",
        "An irrigation system that follows its valves, and closes them when it is turned off.",
        services: [.irrigationSystem],
        needs: [.active, .inUse],
        standard: (),
        parameters: []
    ) { _, _ in WaterSystem() }
    /// What files and people are told of a faucet.
    static let faucet = SimulationModelDefinition(
        "faucet",
        "A faucet that is on with its valves, and closes them when it is turned off.",
        services: [.faucet],
        needs: [.active],
        standard: (),
        parameters: []
    ) { _, _ in WaterSystem() }
}
