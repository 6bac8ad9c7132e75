/// Servers that are as new, so that not every input has to wait for one to start.
final class FuzzServers: @unchecked Sendable {
    // Sendable without a lock: libFuzzer has one thread.
    private var strict: FuzzServer?
    private var lenient: FuzzServer?

    /// A server that is paired.
    func take(isStrict: Bool) -> FuzzServer {
        let stored = isStrict ? strict.take() : lenient.take()
        return stored ?? FuzzServer(isPaired: true, isStrict: isStrict)
    }

    /// Keeps a paired server that nothing has changed.
    func put(_ site: FuzzServer, isStrict: Bool) {
        if isStrict {
            strict = site
        } else {
            lenient = site
        }
    }
}
