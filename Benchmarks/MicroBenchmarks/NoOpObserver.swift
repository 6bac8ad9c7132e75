import HAPServer

/// Is told everything, as a log is, and does nothing.
struct NoOpObserver: ServerObserver {
    func observe(_ event: ServerEvent) {}
}
