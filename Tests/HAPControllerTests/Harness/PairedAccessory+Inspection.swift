@testable import HAPController

extension PairedAccessory {
    /// Whether a session stands.
    var hasSession: Bool {
        if case .open = link { true } else { false }
    }
}
