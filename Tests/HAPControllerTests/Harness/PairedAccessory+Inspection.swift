@testable import HAPController

extension PairedAccessory {
    /// Whether a session is open.
    var hasSession: Bool {
        link.session != nil
    }

    /// Whether a session is being opened.
    var isOpening: Bool {
        if case .opening = link.state { true } else { false }
    }
}
