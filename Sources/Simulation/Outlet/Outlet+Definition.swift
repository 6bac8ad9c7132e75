internal import AccessoryModel

extension Outlet {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "outlet",
        "An outlet that is in use while it is on and something is plugged in.",
        services: [.outlet],
        needs: [.on, .outletInUse],
        standard: Configuration(),
        parameters: [.flag("load", \.load, "Whether something is plugged in that draws current.")]
    ) { configuration, _ in Outlet(configuration) }
}
