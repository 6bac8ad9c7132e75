internal import CAvahiClient

/// One connection to the Avahi daemon, over which all services of HAP's type are watched.
///
/// It belongs to a ``DiscoveryQueue``: made, used and released there. Events come from Avahi's own thread.
///
/// It goes past the `dns_sd` library, which would need a thread and a connection for every lookup, and leaves the callbacks
/// of a lookup that the daemon does not survive uninitialised. Observed with Avahi 0.8.
final class AvahiConnection {
    /// Something that the daemon, or its absence, tells.
    enum Event: Sendable {
        /// There is a daemon.
        case daemonAnswers
        /// The connection is dead.
        case lost
        /// A name is there, on one interface and protocol.
        case appeared(String)
        /// A name is there no more, on one interface and protocol.
        case disappeared(String)
        /// The lookup has found this.
        case lookedUp(PublishedService)
    }

    /// Lives as long as the connection, whose callbacks hold a plain pointer to it.
    private let inbox: Inbox
    private let poll: OpaquePointer
    private let client: OpaquePointer
    private var lookup: OpaquePointer?

    fileprivate final class Inbox: Sendable {
        let deliver: @Sendable (Event) -> Void

        init(_ deliver: @escaping @Sendable (Event) -> Void) {
            self.deliver = deliver
        }
    }

    /// Connects to the bus, and waits for the daemon when there is none.
    ///
    /// Throws Avahi's code when that fails at once.
    init(deliver: @escaping @Sendable (Event) -> Void) throws(AvahiCode) {
        inbox = Inbox(deliver)
        guard let poll = avahi_threaded_poll_new() else { throw .noMemory }
        var code: Int32 = 0
        let context = Unmanaged.passUnretained(inbox).toOpaque()
        guard
            let client = avahi_client_new(
                avahi_threaded_poll_get(poll),
                AVAHI_CLIENT_NO_FAIL,
                clientCallback,
                context,
                &code
            )
        else {
            avahi_threaded_poll_free(poll)
            throw AvahiCode(code)
        }
        guard avahi_threaded_poll_start(poll) == 0 else {
            avahi_client_free(client)
            avahi_threaded_poll_free(poll)
            throw .noMemory
        }
        self.poll = poll
        self.client = client
    }

    deinit {
        avahi_threaded_poll_stop(poll)
        // The browse and the lookup with it.
        avahi_client_free(client)
        avahi_threaded_poll_free(poll)
    }

    /// Begins to tell the names of all services of the type.
    func browse() throws(AvahiCode) {
        let browser = locked { context in
            avahi_service_browser_new(
                client,
                anyInterface,
                anyProtocol,
                ServiceRecord.type,
                nil,
                noFlags,
                browserCallback,
                context
            )
        }
        guard browser != nil else { throw AvahiCode(avahi_client_errno(client)) }
    }

    /// Begins to look up a service, in place of the one before.
    func lookUp(name: String) throws(AvahiCode) {
        endLookup()
        lookup = locked { context in
            avahi_service_resolver_new(
                client,
                anyInterface,
                anyProtocol,
                name,
                ServiceRecord.type,
                nil,
                anyProtocol,
                noFlags,
                resolverCallback,
                context
            )
        }
        guard lookup != nil else { throw AvahiCode(avahi_client_errno(client)) }
    }

    /// Ends the lookup, if there is one.
    func endLookup() {
        guard let lookup else { return }
        self.lookup = nil
        _ = locked { _ in avahi_service_resolver_free(lookup) }
    }

    private func locked<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
        avahi_threaded_poll_lock(poll)
        defer { avahi_threaded_poll_unlock(poll) }
        return body(Unmanaged.passUnretained(inbox).toOpaque())
    }
}

/// `AVAHI_IF_UNSPEC` and `AVAHI_PROTO_UNSPEC`.
private let anyInterface: AvahiIfIndex = -1
private let anyProtocol: AvahiProtocol = -1
private let noFlags = AvahiLookupFlags(rawValue: 0)

private func deliver(_ event: AvahiConnection.Event, to context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<AvahiConnection.Inbox>.fromOpaque(context).takeUnretainedValue().deliver(event)
}

private let clientCallback: AvahiClientCallback = { _, state, context in
    switch state {
    case AVAHI_CLIENT_S_RUNNING, AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION:
        deliver(.daemonAnswers, to: context)
    case AVAHI_CLIENT_FAILURE:
        deliver(.lost, to: context)
    default:
        // Waiting for the daemon.
        break
    }
}

private let browserCallback: AvahiServiceBrowserCallback = { _, _, _, event, name, _, _, _, context in
    switch event {
    case AVAHI_BROWSER_NEW:
        if let name { deliver(.appeared(String(cString: name)), to: context) }
    case AVAHI_BROWSER_REMOVE:
        if let name { deliver(.disappeared(String(cString: name)), to: context) }
    case AVAHI_BROWSER_FAILURE:
        deliver(.lost, to: context)
    default:
        break
    }
}

private let resolverCallback: AvahiServiceResolverCallback = {
    _,
    _,
    _,
    event,
    name,
    _,
    _,
    _,
    _,
    port,
    text,
    _,
    context in
    // A lookup that fails ends with its time.
    guard event == AVAHI_RESOLVER_FOUND, let name else { return }
    let bytes = withUnsafeTemporaryAllocation(byteCount: Int(UInt16.max), alignment: 1) { buffer in
        Array(buffer.prefix(avahi_string_list_serialize(text, buffer.baseAddress, buffer.count)))
    }
    let found = PublishedService(name: String(cString: name), port: port, text: TXTRecord(wireBytes: bytes))
    deliver(.lookedUp(found), to: context)
}
