internal import CAvahi

/// A running operation of the `dns_sd` library, such as a registration.
///
/// It is created, used and released on a ``DiscoveryQueue``. A reference needs a thread of the library, a connection to
/// the bus and about five file descriptors. Releasing it ends the operation. For a registration, the goodbye has been
/// sent when the release returns. Its file descriptor must no longer be watched when it is released.
final class DNSSDReference<Reply> {
    private let reference: DNSServiceRef
    /// The context of the callbacks.
    ///
    /// It must live as long as the reference, because the callbacks hold an unretained pointer to it.
    private let inbox: ReplyInbox<Reply>

    /// Starts an operation.
    ///
    /// `begin` calls the library with the address of the reference and the context of the callback, which is an
    /// unretained ``ReplyInbox``.
    ///
    /// Throws the library's code if that fails at once.
    init(
        begin: (UnsafeMutablePointer<DNSServiceRef?>, UnsafeMutableRawPointer) -> DNSServiceErrorType
    ) throws(DNSSDCode) {
        let inbox = ReplyInbox<Reply>()
        var reference: DNSServiceRef?
        let code = withExtendedLifetime(inbox) {
            begin(&reference, Unmanaged.passUnretained(inbox).toOpaque())
        }
        guard code == DNSSDCode.success, let reference else {
            throw DNSSDCode(code)
        }
        self.inbox = inbox
        self.reference = reference
    }

    /// The file descriptor that becomes readable when ``process()`` should be called.
    var fileDescriptor: Int32 {
        hap_DNSServiceRefSockFD(reference)
    }

    /// Lets the library process incoming data, and returns the replies of its callbacks.
    ///
    /// Throws an error if the operation has failed permanently.
    func process() throws(DNSSDCode) -> [Reply] {
        let code = hap_DNSServiceProcessResult(reference)
        guard code == DNSSDCode.success else { throw DNSSDCode(code) }
        return inbox.take()
    }

    /// Replaces the text of a registration.
    func updateText(_ text: TXTRecord) throws(DNSSDCode) {
        let bytes = text.wireBytes
        let code = hap_DNSServiceUpdateRecord(reference, nil, 0, UInt16(clamping: bytes.count), bytes, 0)
        guard code == DNSSDCode.success else { throw DNSSDCode(code) }
    }

    deinit {
        hap_DNSServiceRefDeallocate(reference)
    }
}

/// Stores the replies of one reference's callbacks.
///
/// Callbacks run inside calls of the `dns_sd` library, so they only store replies. Consequences, such as dropping the
/// reference, follow after the call has returned.
final class ReplyInbox<Reply> {
    private var replies: [Reply] = []

    func append(_ reply: Reply) {
        replies.append(reply)
    }

    /// Removes the replies and returns them, in order of arrival.
    func take() -> [Reply] {
        defer { replies = [] }
        return replies
    }
}

/// The daemon's reply about a registration.
enum RegistrationReply {
    /// The service is on the network under this name.
    case confirmed(name: String)
    /// The service is not, or no longer, on the network.
    case failed(DNSSDCode)
}

extension DNSSDReference<RegistrationReply> {
    /// Registers a service in the daemon's own domain.
    static func register(_ record: ServiceRecord) throws(DNSSDCode) -> DNSSDReference<RegistrationReply> {
        guard hap_avahi_load() else { throw .unknown }
        let text = record.text.wireBytes
        return try DNSSDReference { (reference, context) in
            // Avahi supports no flags, not even the one that prevents renaming.
            hap_DNSServiceRegister(
                reference,
                0,
                record.interface,
                record.name.text,
                record.type,
                nil,
                nil,
                record.port.bigEndian,
                UInt16(clamping: text.count),
                text,
                registrationCallback,
                context
            )
        }
    }
}

private let registrationCallback: DNSServiceRegisterReply = { _, _, code, name, _, _, context in
    guard let context else { return }
    let inbox = Unmanaged<ReplyInbox<RegistrationReply>>.fromOpaque(context).takeUnretainedValue()
    if code == DNSSDCode.success, let name {
        inbox.append(.confirmed(name: String(cString: name)))
    } else {
        inbox.append(.failed(DNSSDCode(code)))
    }
}

/// A failure, as an error code of the `dns_sd` library.
struct DNSSDCode: Error, Hashable {
    let rawValue: Int32

    init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The library's code for success.
    static let success: Int32 = 0
    /// There is no bus or no daemon, or one of them has ended.
    static let unknown = DNSSDCode(-65_537)
    /// The name is in use on this daemon.
    static let nameConflict = DNSSDCode(-65_548)
    /// The bus or the daemon accepts no further clients.
    ///
    /// Observed with Avahi at registration 256 of one user, and when the process has no free file descriptor.
    static let refused = DNSSDCode(-65_553)

    /// Describes the failure.
    ///
    /// `bus` is evaluated only if the library does not distinguish the reasons.
    func discoveryError(bus: @autoclosure () -> SystemBus.ProbeResult) -> DiscoveryError {
        switch self {
        case .unknown: hap_avahi_load() ? bus().discoveryError : .noLibrary
        case .nameConflict: .nameTaken
        case .refused: bus() == .noDescriptors ? .noDescriptors : .limit
        default:
            DiscoveryError(
                .refused,
                reason: "The Avahi daemon refused the service with error \(rawValue).",
                remedy: "Check the daemon's log; the server tries again."
            )
        }
    }
}
