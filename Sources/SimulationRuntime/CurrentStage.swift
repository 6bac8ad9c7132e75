package import AccessoryModel
internal import Synchronization

/// The stage as it is served now: what is called how changes when what is served is edited.
package final class CurrentStage: Sendable {
    private let stage: Mutex<SimulationStage>

    /// Begins with a stage.
    package init(_ stage: SimulationStage) {
        self.stage = Mutex(stage)
    }

    /// The stage.
    package var now: SimulationStage { stage.withLock { $0 } }

    /// Takes over what one of its servers serves from now on; to be called by one task at a time.
    package func serve(_ accessories: [Accessory], at place: Int) async {
        let new = await now.serving(accessories, at: place)
        stage.withLock { $0 = new }
    }
}
