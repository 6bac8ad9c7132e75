/// Is told what happens in a server: the source of log lines, metrics and traces.
///
/// Called on the server's event loop, in the order of events: it must return quickly, and hand on what takes time.
public protocol ServerObserver: Sendable {
    /// Takes one fact.
    func observe(_ fact: ServerFact)

    /// Whether it wants to be told of each characteristic of requests and events, too; asked once, when a server starts.
    var wantsItems: Bool { get }
}

extension ServerObserver {
    /// An observer to whom whole requests and events are enough.
    public var wantsItems: Bool { false }
}
