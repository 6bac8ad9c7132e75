package import HAPServer
internal import Synchronization

/// An observer that forwards the events of a server of this process to readers that are added while the server runs.
package final class ServerEventForwarder: ServerObserver {
    package let wantsItems: Bool
    private let handlers = Mutex<[ObjectIdentifier: @Sendable (ServerEvent) -> Void]>([:])

    /// Creates a forwarder without readers, before the server starts.
    ///
    /// - Parameter wantsItems: Whether readers also want the individual characteristics of requests and events.
    package init(wantsItems: Bool = false) {
        self.wantsItems = wantsItems
    }

    package func observe(_ event: ServerEvent) {
        handlers.withLock { sinks in
            for sink in sinks.values { sink(event) }
        }
    }

    /// Sets the handler that receives events for a reader from now on.
    ///
    /// `nil` ends the forwarding.
    ///
    /// - Parameters:
    ///   - reader: The reader, which is identified by its object identity.
    ///   - sink: The handler, which is called on the server's event loop and must return quickly.
    package func setHandler(for reader: some AnyObject, _ sink: (@Sendable (ServerEvent) -> Void)?) {
        let id = ObjectIdentifier(reader)
        handlers.withLock { $0[id] = sink }
    }
}
