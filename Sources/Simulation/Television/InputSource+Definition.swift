internal import AccessoryModel

extension InputSource {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "inputSource",
        "An input of a television, shown or hidden as it is written.",
        services: [.inputSource],
        needs: [.currentVisibilityState],
        standard: (),
        parameters: []
    ) { _, _ in InputSource() }
}
