import HAPServer

/// An observer that receives all events, like a log, and ignores them.
struct NoOpObserver: ServerObserver {
    func observe(_ event: ServerEvent) {}
}
