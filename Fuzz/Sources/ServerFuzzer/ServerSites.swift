/// Servers that are as new, so that not every input has to wait for one to start.
final class ServerSites: @unchecked Sendable {
    // Sendable without a lock: libFuzzer has one thread.
    private var strict: ServerSite?
    private var lenient: ServerSite?

    /// A server that is paired.
    func take(isStrict: Bool) -> ServerSite {
        let kept = isStrict ? strict.take() : lenient.take()
        return kept ?? ServerSite(isPaired: true, isStrict: isStrict)
    }

    /// Keeps a paired server that nothing has changed.
    func put(_ site: ServerSite, isStrict: Bool) {
        if isStrict {
            strict = site
        } else {
            lenient = site
        }
    }
}
