internal import CAvahi

/// A connection to the Avahi daemon that browses and looks up services of one type.
///
/// It belongs to a ``DiscoveryExecutor``: created, used and released there. Events arrive on Avahi's own thread. Every
/// call may block for 25 seconds while the bus or the daemon hangs.
///
/// It does not use the `dns_sd` library, which needs a thread and a connection for every lookup, and leaves callbacks
/// uninitialized if the daemon ends during a lookup. Observed with Avahi 0.8.
final class AvahiConnection {
    /// An event from the daemon, or about its availability.
    enum Event: Sendable {
        /// A daemon is available.
        case daemonAvailable
        /// The bus is available, but no daemon is on it yet.
        case daemonUnavailable
        /// The connection was lost and cannot be used any longer.
        case connectionLost
        /// A name was seen, on one interface and protocol.
        case appeared(ServiceInstance)
        /// A name was removed on one interface and protocol.
        case disappeared(ServiceInstance)
        /// The daemon has reported all names that it knew or received in reply to its first query.
        case allForNow
        /// A lookup has found this service.
        case lookedUp(ServiceInstance, ResolvedService)
        /// A lookup has ended without a result.
        case lookupFailed(ServiceInstance)
        /// A host has this address; `nil` if one of the queries for it has ended without a result.
        case hostResolved(NetworkAddress?)
    }

    /// The context of the callbacks.
    ///
    /// It must live as long as the connection, because the callbacks hold an unretained pointer to it.
    private let callbackContext: CallbackContext
    private let type: String
    private let poll: OpaquePointer
    private let client: OpaquePointer
    private var lookups: [ServiceInstance: OpaquePointer] = [:]

    fileprivate final class CallbackContext: Sendable {
        let deliver: @Sendable (Event) -> Void

        init(_ deliver: @escaping @Sendable (Event) -> Void) {
            self.deliver = deliver
        }
    }

    /// Connects to the bus, and waits for the daemon if there is none.
    ///
    /// - Parameter type: Such as `_hap._tcp`.
    /// - Throws: Avahi's code if that fails at once.
    init(_ type: String = ServiceRecord.accessoryServerType, deliver: @escaping @Sendable (Event) -> Void)
        throws(AvahiCode)
    {
        guard hap_avahi_load() else { throw .noDaemon }
        self.type = type
        callbackContext = CallbackContext(deliver)
        guard let poll = hap_avahi_threaded_poll_new() else { throw .noMemory }
        var code: Int32 = 0
        let context = Unmanaged.passUnretained(callbackContext).toOpaque()
        guard
            let client = hap_avahi_client_new(
                hap_avahi_threaded_poll_get(poll),
                AVAHI_CLIENT_NO_FAIL,
                clientCallback,
                context,
                &code
            )
        else {
            hap_avahi_threaded_poll_free(poll)
            throw AvahiCode(code)
        }
        guard hap_avahi_threaded_poll_start(poll) == 0 else {
            hap_avahi_client_free(client)
            hap_avahi_threaded_poll_free(poll)
            throw .noMemory
        }
        self.poll = poll
        self.client = client
    }

    deinit {
        hap_avahi_threaded_poll_stop(poll)
        // This also frees the browser and all lookups.
        hap_avahi_client_free(client)
        hap_avahi_threaded_poll_free(poll)
    }

    /// Starts to report the names of all services of the type.
    func browse() throws(AvahiCode) {
        let browser = locked { context in
            hap_avahi_service_browser_new(
                client,
                anyInterface,
                anyProtocol,
                type,
                nil,
                noFlags,
                browserCallback,
                context
            )
        }
        guard browser != nil else { throw AvahiCode(hap_avahi_client_errno(client)) }
    }

    /// Starts to look up a service on the interface and protocol where it was seen; changes are reported until the
    /// lookup ends.
    func lookUp(_ service: ServiceInstance) throws(AvahiCode) {
        let lookup = locked { context in
            hap_avahi_service_resolver_new(
                client,
                service.interface,
                service.family,
                service.name,
                type,
                nil,
                service.family,
                noFlags,
                resolverCallback,
                context
            )
        }
        guard let lookup else { throw AvahiCode(hap_avahi_client_errno(client)) }
        endLookup(service)
        lookups[service] = lookup
    }

    /// Starts to look up a service on any interface.
    func lookUp(name: String) throws(AvahiCode) {
        try lookUp(ServiceInstance(name: name, interface: anyInterface, family: anyProtocol))
    }

    /// Starts to look up a host, and returns the number of queries; 0 for an invalid host name.
    ///
    /// The queries end with the connection.
    func lookUp(host: String) -> Int {
        // The protocol over which each query is sent, and the kind of address that it asks for.
        let questions = [(ipv4, ipv4), (ipv4, ipv6), (ipv6, ipv6)]
        // A daemon without IPv6 refuses the queries over IPv6.
        return questions.count { family, kind in
            let lookup = locked { context in
                hap_avahi_host_name_resolver_new(
                    client,
                    anyInterface,
                    family,
                    host,
                    kind,
                    noFlags,
                    hostCallback,
                    context
                )
            }
            return lookup != nil
        }
    }

    /// Ends all lookups of services.
    func endLookups() {
        locked { _ in
            for lookup in lookups.values {
                hap_avahi_service_resolver_free(lookup)
            }
        }
        lookups = [:]
    }

    /// Ends the lookup of a service, if there is one.
    func endLookup(_ service: ServiceInstance) {
        guard let lookup = lookups.removeValue(forKey: service) else { return }
        locked { _ in
            _ = hap_avahi_service_resolver_free(lookup)
        }
    }

    /// Returns the name and version of the daemon, such as `avahi 0.8`.
    func version() throws(AvahiCode) -> String {
        try readText { hap_avahi_client_get_version_string($0) }
    }

    /// Returns the host name of this machine, such as `garage.local`.
    func hostName() throws(AvahiCode) -> String {
        try readText { hap_avahi_client_get_host_name_fqdn($0) }
    }

    private func readText(_ question: (OpaquePointer) -> UnsafePointer<CChar>?) throws(AvahiCode) -> String {
        guard let text = locked({ _ in question(client).map { String(cString: $0) } }) else {
            throw AvahiCode(hap_avahi_client_errno(client))
        }
        return text
    }

    private func locked<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
        hap_avahi_threaded_poll_lock(poll)
        defer { hap_avahi_threaded_poll_unlock(poll) }
        return body(Unmanaged.passUnretained(callbackContext).toOpaque())
    }
}

/// `AVAHI_IF_UNSPEC` and `AVAHI_PROTO_UNSPEC`.
private let anyInterface: AvahiIfIndex = -1
private let anyProtocol: AvahiProtocol = -1
/// `AVAHI_PROTO_INET` and `AVAHI_PROTO_INET6`.
private let ipv4: AvahiProtocol = 0
private let ipv6: AvahiProtocol = 1
private let noFlags = AvahiLookupFlags(rawValue: 0)

private func deliver(_ event: AvahiConnection.Event, to context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<AvahiConnection.CallbackContext>.fromOpaque(context).takeUnretainedValue().deliver(event)
}

private let clientCallback: AvahiClientCallback = { _, state, context in
    switch state {
    case AVAHI_CLIENT_S_RUNNING, AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION:
        deliver(.daemonAvailable, to: context)
    case AVAHI_CLIENT_CONNECTING:
        deliver(.daemonUnavailable, to: context)
    case AVAHI_CLIENT_FAILURE:
        deliver(.connectionLost, to: context)
    default:
        break
    }
}

private let browserCallback: AvahiServiceBrowserCallback = { _, interface, family, event, name, _, _, _, context in
    let service = name.map { ServiceInstance(name: String(cString: $0), interface: interface, family: family) }
    switch event {
    case AVAHI_BROWSER_NEW:
        if let service { deliver(.appeared(service), to: context) }
    case AVAHI_BROWSER_REMOVE:
        if let service { deliver(.disappeared(service), to: context) }
    case AVAHI_BROWSER_ALL_FOR_NOW:
        deliver(.allForNow, to: context)
    case AVAHI_BROWSER_FAILURE:
        deliver(.connectionLost, to: context)
    default:
        break
    }
}

private let resolverCallback: AvahiServiceResolverCallback = {
    _,
    interface,
    family,
    event,
    name,
    _,
    _,
    host,
    address,
    port,
    text,
    _,
    context in
    guard let name else { return }
    let service = ServiceInstance(name: String(cString: name), interface: interface, family: family)
    guard event == AVAHI_RESOLVER_FOUND else { return deliver(.lookupFailed(service), to: context) }
    let bytes = withUnsafeTemporaryAllocation(byteCount: Int(UInt16.max), alignment: 1) { buffer in
        Array(buffer.prefix(hap_avahi_string_list_serialize(text, buffer.baseAddress, buffer.count)))
    }
    let found = ResolvedService(
        name: service.name,
        host: host.map { String(cString: $0) } ?? "",
        address: address.map(addressText) ?? "",
        port: port,
        text: TXTRecord(wireBytes: bytes)
    )
    deliver(.lookedUp(service, found), to: context)
}

private let hostCallback: AvahiHostNameResolverCallback = { _, interface, _, event, _, address, _, context in
    let found = event == AVAHI_RESOLVER_FOUND ? address.map(addressText) : nil
    deliver(.hostResolved(found.flatMap { NetworkAddress($0, interface: interface) }), to: context)
}

private func addressText(_ address: UnsafePointer<AvahiAddress>) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AVAHI_ADDRESS_STR_MAX)) { buffer in
        hap_avahi_address_snprint(buffer.baseAddress, buffer.count, address).map { String(cString: $0) } ?? ""
    }
}

/// The name of a service, as it was seen on one interface and over one protocol.
struct ServiceInstance: Sendable, Hashable {
    let name: String
    /// The number of the interface; −1 means all.
    let interface: Int32
    /// IPv4 or IPv6 in Avahi's numbering; −1 means both.
    let family: Int32
}
