import HAPServer

/// Is told everything, as a log is, and does nothing.
struct SilentObserver: ServerObserver {
    func observe(_ fact: ServerFact) {}
}
