/// What the Avahi daemon says of itself and of the accessories it sees.
///
/// Asks on the bus, without registering or starting anything, and never longer than it is told to.
package struct DaemonLook: Sendable, Hashable {
    /// Such as `avahi 0.8`.
    package var version: String
    /// The machine's name on the network, such as `garage.local`.
    package var hostName: String

    /// Creates one.
    package init(version: String, hostName: String) {
        self.version = version
        self.hostName = hostName
    }

    private static let service = "org.freedesktop.Avahi"
    private static let server = "org.freedesktop.Avahi.Server"

    /// Asks the daemon who it is.
    ///
    /// - Throws: `.noBus`, `.noDaemon`, or `.noAnswer` when one of them hangs.
    package static func look(within time: Duration) throws(DiscoveryError) -> DaemonLook {
        let deadline = ContinuousClock.now.advanced(by: time)
        var bus = try BusConnection.open(by: deadline)
        let version = try ask("GetVersionString", &bus, by: deadline)
        let hostName = try ask("GetHostNameFqdn", &bus, by: deadline)
        return DaemonLook(version: version, hostName: hostName)
    }

    /// The accessories that the daemon finds and resolves in this time, each address once.
    ///
    /// Ends before its time when the daemon has told all that it knows and asked the network once.
    ///
    /// - Throws: As ``look(within:)``.
    package static func accessories(within time: Duration) throws(DiscoveryError) -> [FoundService] {
        let deadline = ContinuousClock.now.advanced(by: time)
        var bus = try BusConnection.open(by: deadline)
        let anywhere: [BusMessage.Argument] = [.integer(-1), .integer(-1)]
        let browse = try bus.call(
            "ServiceBrowserNew",
            of: server,
            at: "/",
            destination: service,
            anywhere + [.string(ServiceRecord.type), .string(""), .unsigned(0)],
            by: deadline
        )
        guard browse.kind == .reply else { throw .noDaemon }
        var questions: Set<UInt32> = []
        var isComplete = false
        var found: [FoundService] = []
        while !isComplete || !questions.isEmpty, let message = try bus.next(by: deadline) {
            switch (message.kind, message.name) {
            case (.signal, "ItemNew"):
                guard let arguments = resolution(of: message.body), questions.count < maximumServices else { break }
                questions.insert(
                    try bus.begin("ResolveService", of: server, at: "/", destination: service, arguments, by: deadline)
                )
            case (.signal, "AllForNow"): isComplete = true
            case (.reply, _), (.failure, _):
                guard let question = message.replySerial, questions.remove(question) != nil else { break }
                if message.kind == .reply, let service = FoundService(answer: message.body), !found.contains(service) {
                    found.append(service)
                }
            default: break
            }
        }
        return found
    }

    /// The most questions that wait for their answers.
    private static let maximumServices = 512

    /// The arguments that resolve the service of which an `ItemNew` tells, with an address of either kind.
    static func resolution(of body: [UInt8]) -> [BusMessage.Argument]? {
        var reader = BusReader(body)
        guard let interface = reader.integer(), let family = reader.integer(), let name = reader.string(),
            let type = reader.string(), let domain = reader.string()
        else { return nil }
        return [
            .integer(interface), .integer(family), .string(name), .string(type), .string(domain), .integer(family),
            .unsigned(0),
        ]
    }

    private static func ask(
        _ question: String,
        _ bus: inout BusConnection,
        by deadline: ContinuousClock.Instant
    ) throws(DiscoveryError) -> String {
        let answer = try bus.call(question, of: server, at: "/", destination: service, by: deadline)
        var reader = BusReader(answer.body)
        guard answer.kind == .reply, let text = reader.string() else { throw .noDaemon }
        return text
    }
}
