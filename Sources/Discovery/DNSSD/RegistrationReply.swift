internal import CDNSSD

/// What the daemon says about a registration.
enum RegistrationReply {
    /// The service is on the network under this name.
    case confirmed(name: String)
    /// The service is not, or no longer, on the network.
    case failed(DNSSDCode)
}

extension DNSSDReference<RegistrationReply> {
    /// Asks the daemon to put a service on the network, on all interfaces and in the daemon's own domain.
    static func register(_ record: ServiceRecord) throws(DNSSDCode) -> DNSSDReference<RegistrationReply> {
        let text = record.text.wireBytes
        return try DNSSDReference { (reference, context) in
            // Avahi accepts no flag, not even the one against renaming.
            DNSServiceRegister(
                reference,
                0,
                0,
                record.name.text,
                ServiceRecord.type,
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
