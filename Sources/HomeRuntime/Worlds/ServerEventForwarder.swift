package import HAPServer
internal import Synchronization

/// An observer that forwards the events of a server of this process, to readers that may come once the server runs.
package final class ServerEventForwarder: ServerObserver {
    package let wantsItems: Bool
    private let sinks = Mutex<[ObjectIdentifier: @Sendable (ServerFact) -> Void]>([:])

    /// Creates a forwarder without readers, before the server.
    ///
    /// - Parameter wantsItems: Whether readers also want each characteristic of requests and events.
    package init(wantsItems: Bool = false) {
        self.wantsItems = wantsItems
    }

    package func observe(_ fact: ServerFact) {
        sinks.withLock { sinks in
            for sink in sinks.values { sink(fact) }
        }
    }

    /// Forwards what happens from now on, instead of where the reader had it forwarded before; `nil` ends it.
    ///
    /// - Parameter sink: Called on the server's event loop; must return quickly.
    package func forward(to reader: some AnyObject, _ sink: (@Sendable (ServerFact) -> Void)?) {
        let id = ObjectIdentifier(reader)
        sinks.withLock { $0[id] = sink }
    }
}
