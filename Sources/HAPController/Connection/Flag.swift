internal import Synchronization

/// Something that is true from one moment on, whoever looks.
final class Flag: Sendable {
    private let state = Atomic(false)

    var isRaised: Bool {
        state.load(ordering: .acquiring)
    }

    func raise() {
        state.store(true, ordering: .releasing)
    }
}
