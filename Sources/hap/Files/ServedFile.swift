import AccessoryFiles
import AccessoryModel

/// The file that a server serves.
struct ServedFile: Sendable {
    let path: String
    /// What it said when it was last right.
    let document: AccessoryDocument
    /// Whether values are moved.
    let isSimulated: Bool
    /// Tells when it is edited.
    var watch: FileWatch
    /// What the chance of simulated devices is drawn from.
    var seed: UInt64 = 0

    /// What of the file is served.
    var accessories: [Accessory] {
        document.declaration(isSimulated: isSimulated, seed: seed)
    }
}
