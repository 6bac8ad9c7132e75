@testable import HAPController

extension PairedAccessory {
    /// Whether a session stands.
    var hasSession: Bool {
        if case .open = link { true } else { false }
    }

    /// Whether a session is being opened.
    var isOpening: Bool {
        if case .opening = link { true } else { false }
    }
}
