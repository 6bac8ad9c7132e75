internal import AccessoryModel
package import HAPCore
internal import Simulation

/// An accessory of a file.
package struct DocumentedAccessory: Sendable, Hashable {
    /// What tells it from the other accessories of its server, across edits.
    package var key: String
    /// Its services, Accessory Information first where the file has it so.
    package var services: [DocumentedService]
    /// The aid that the file gives it.
    package var aid: AccessoryID?

    /// Creates an accessory.
    package init(key: String, services: [DocumentedService], aid: AccessoryID? = nil) {
        self.key = key
        self.services = services
        self.aid = aid
    }

    func declaration(isSimulated: Bool, seed: UInt64) -> Accessory {
        let seed = SeededRandom.seed(seed, for: key)
        return Accessory(
            key: key,
            services: services.map { $0.declaration(isSimulated: isSimulated, seed: seed) },
            aid: aid
        )
    }
}
