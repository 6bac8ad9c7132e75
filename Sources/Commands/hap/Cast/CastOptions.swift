import ArgumentParser
import CastSender
import Hosting

/// The receiver of a command, and how the command prints.
struct CastOptions: ParsableArguments {
    @Argument(
        help: .value("receiver", "The receiver: its name, which is searched on the network, or HOST:PORT."),
        completion: .custom { _, _, _ in await Self.names() }
    )
    var receiver: String

    @Option(
        help: .value("digits", "The SHA-256 digest of the receiver's device certificate; another receiver is refused.")
    )
    var fingerprint: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard !receiver.isEmpty, receiver.wholeMatch(of: #/\S*:0*/#) == nil else {
            throw ValidationError("Write the receiver as its name, or as HOST:PORT with a port from 1 to 65535.")
        }
        guard fingerprint.map({ $0.wholeMatch(of: #/[0-9A-Fa-f]{64}/#) != nil }) ?? true else {
            throw ValidationError(
                "Write --fingerprint as 64 hexadecimal digits, as 'hap cast status --show-fingerprint' prints them."
            )
        }
    }

    /// The names of the receivers that the Avahi daemon knows.
    private static func names() async -> [String] {
        let found = try? await DiscoveryResults.search(Route.Kind.cast.service, within: .milliseconds(700))
        return found?.accessories.compactMap { CastDevice($0)?.name } ?? []
    }

    /// Connects to the receiver, performs some work, and ends the session.
    ///
    /// - Throws: ``CommandFailure`` if the receiver is not found or does not answer, or the error of the work.
    func withSession<Result>(
        reconnects: Bool = false,
        _ work: (CastSession) async throws -> Result
    ) async throws -> Result {
        let progress = ProgressLine()
        defer { progress.clear() }
        var configuration = CastSession.Configuration()
        configuration.reconnects = reconnects
        configuration.deviceFingerprint = fingerprint
        let device = try await device(progress)
        progress.show("Connecting to \(device.name) …")
        let session = CastSession(with: device, configuration)
        do {
            try await session.connect()
            progress.clear()
            let result = try await work(session)
            await session.end()
            return result
        } catch let error as CastSenderError {
            await session.end()
            throw CommandFailure(error)
        } catch {
            await session.end()
            throw error
        }
    }

    /// Joins the app that runs, performs some work, and prints the status.
    func perform(_ work: (CastMediaClient) async throws -> Void) async throws {
        try await withSession { session in
            try await session.join()
            try await work(session.media)
            try print(session)
        }
    }

    func print(_ session: CastSession) throws {
        let status = CastStatus(session)
        try Output.write(status.text, status, CastStatus.format, asJSON: json)
    }

    private func device(_ progress: ProgressLine) async throws -> CastDevice {
        if let device = CastDevice(address: receiver) { return device }
        progress.show("Looking for \(receiver) …")
        if let device = await CastDeviceBrowser().device(named: receiver) { return device }
        let shown = receiver.printable
        let found = try await DiscoveryResults.search(Route.Kind.cast.service, within: .seconds(1))
        let names = found.accessories.compactMap { CastDevice($0)?.name.printable }
        throw CommandFailure.unavailable(
            names.isEmpty
                ? "No Cast receiver was found on this network; write HOST:PORT in place of \"\(shown)\"."
                : "No Cast receiver has the name \"\(shown)\". There are: \(names.joined(separator: ", "))."
        )
    }
}

extension CastDevice {
    /// Reads `HOST:PORT`, or an IP address without a port; `nil` for a name.
    fileprivate init?(address: String) {
        if let match = address.wholeMatch(of: #/(?:\[(.+)\]|([^:\s\[\]]+)):([0-9]{1,5})/#),
            let port = UInt16(match.output.3), port > 0
        {
            self.init(host: String(match.output.1 ?? match.output.2 ?? ""), port: port)
        } else if address.wholeMatch(of: #/[0-9]{1,3}(\.[0-9]{1,3}){3}/#) != nil {
            self.init(host: address)
        } else {
            return nil
        }
    }
}

extension HostError {
    /// Creates the failure for an error of a Cast session.
    init(_ error: CastSenderError) {
        let code: Code =
            switch error {
            case .unreachable, .connectionLost, .timedOut, .notConnected: .unavailable
            case .launchFailed, .loadFailed, .loadCancelled, .invalidPlayerState, .refused, .untrusted, .noApp,
                .unsupportedNamespace:
                .refused
            case .invalidNamespace, .namespaceInUse, .messageTooLong, .invalidArgument: .usage
            case .malformed, .cancelled: .failed
            }
        let remedy: String =
            switch error {
            case .unreachable: " Check the address; receivers listen on port 8009."
            case .noApp: " Launch one with 'hap cast launch'."
            case .invalidPlayerState: " See 'hap cast status'."
            case .invalidNamespace: " Such as urn:x-cast:com.example.quiz."
            default: ""
            }
        self.init(code, "\(error)".printable + remedy)
    }
}
