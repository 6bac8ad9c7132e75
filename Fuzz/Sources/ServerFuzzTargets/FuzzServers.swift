/// Unchanged servers that are kept for reuse, so that not every input has to wait for a server to start.
final class FuzzServers: @unchecked Sendable {
    // Sendable without a lock, because libFuzzer uses one thread.
    private var strict: FuzzServer?
    private var lenient: FuzzServer?

    /// Returns a paired server: a stored one, or a new one.
    func take(isStrict: Bool) -> FuzzServer {
        let stored = isStrict ? strict.take() : lenient.take()
        return stored ?? FuzzServer(isPaired: true, isStrict: isStrict)
    }

    /// Stores a paired server that no input has changed.
    func put(_ site: FuzzServer, isStrict: Bool) {
        if isStrict {
            strict = site
        } else {
            lenient = site
        }
    }
}
