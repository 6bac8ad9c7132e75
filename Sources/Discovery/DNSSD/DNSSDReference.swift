internal import CDNSSD

/// One running operation of the `dns_sd` library, such as a registration.
///
/// It belongs to a ``DiscoveryQueue``: made, used and released there. A reference costs a thread of Avahi's, a
/// connection to the bus and about five file descriptors. Releasing it ends the operation; for a registration the
/// goodbye has been sent by then. Whoever watches its file descriptor must have stopped before.
final class DNSSDReference<Reply> {
    private let reference: DNSServiceRef
    /// Lives as long as the reference, whose callbacks hold a plain pointer to it.
    private let inbox: ReplyInbox<Reply>

    /// Begins an operation: `begin` calls the library with the place for the reference, and with the context for its
    /// callback, which is an unretained ``ReplyInbox``.
    ///
    /// Throws the library's code when that fails at once.
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

    /// Becomes readable when ``process()`` has something to do.
    var fileDescriptor: Int32 {
        DNSServiceRefSockFD(reference)
    }

    /// Lets the library work, and hands out what its callbacks left.
    ///
    /// Throws when the operation is dead.
    func process() throws(DNSSDCode) -> [Reply] {
        let code = DNSServiceProcessResult(reference)
        guard code == DNSSDCode.success else { throw DNSSDCode(code) }
        return inbox.take()
    }

    /// Replaces the text of a registration.
    func updateText(_ text: TXTRecord) throws(DNSSDCode) {
        let bytes = text.wireBytes
        let code = DNSServiceUpdateRecord(reference, nil, 0, UInt16(clamping: bytes.count), bytes, 0)
        guard code == DNSSDCode.success else { throw DNSSDCode(code) }
    }

    deinit {
        DNSServiceRefDeallocate(reference)
    }
}
