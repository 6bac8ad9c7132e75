package import Documents
internal import FoundationEssentials
internal import Glibc
internal import HAPCore
internal import HAPServer
internal import Resources
internal import Simulation
internal import Storage

/// A file that tells scripts that all servers listen, and how to pair with them.
package struct ReadyFile: Sendable {
    private var servers: [Server]
    private var receivers: [Receiver]
    private var console: String?

    private struct Server: Sendable {
        var key: String
        var information: ServerInformation
    }

    /// An address on which a driver listens.
    private struct Receiver: Sendable {
        var kind: String
        var name: String
        var endpoint: DriverEndpoint
    }

    init(
        servers: [(key: String, information: ServerInformation)],
        receivers: [(kind: String, name: String, endpoint: DriverEndpoint)] = [],
        console: String?
    ) {
        self.servers = servers.map { Server(key: $0, information: $1) }
        self.receivers = receivers.map { Receiver(kind: $0, name: $1, endpoint: $2) }
        self.console = console
    }

    /// - Parameter console: The address of the console, or `nil` if it does not listen on TCP.
    package init(of host: AccessoryHost, console: String?) async {
        var servers: [(String, ServerInformation)] = []
        var receivers: [(String, String, DriverEndpoint)] = []
        for server in host.servers {
            servers.append((server.key, await server.server.information))
            for driver in server.drivers.all.values.sorted(by: { $0.aid < $1.aid }) {
                receivers += driver.endpoints.map { (driver.setting.name, driver.accessory.name, $0) }
            }
        }
        self.init(servers: servers, receivers: receivers, console: console)
    }

    package static let format = Format<ReadyFile>(
        response: "ReadyFile",
        .written("servers", \.servers, .list(of: server), "The servers."),
        .written(
            "receivers",
            \.receivers,
            .list(of: receiver),
            "The addresses on which drivers listen, such as that of a media receiver."
        ),
        .written("console", \.console, .nullable(.string), "The address of the API, if it listens on TCP.")
    )

    private static let server = Format<Server>(
        response: "ReadyServer",
        .written("name", \.information.name, .string, "The name on the network."),
        .written("key", \.key, .string, "The key of its state."),
        .written("deviceID", \.information.deviceID.text, .string, "The device ID."),
        .written("port", \.information.port, .integer, "The port."),
        .written("setupCode", \.information.setupCode.text, .string, "The setup code."),
        .written("setupURI", \.information.setupURI, .string, "The text of the QR code."),
        .written(
            "category",
            \.information.category.rawValue,
            .integer,
            "The category that controllers show during pairing."
        ),
        .written("paired", \.information.isPaired, .boolean, "Whether a controller is paired.")
    )

    private static let receiver = Format<Receiver>(
        response: "ReadyReceiver",
        .written("kind", \.kind, .string, "The name of the driver."),
        .written("name", \.name, .string, "The name of the accessory."),
        .written("host", \.endpoint.host, .string, "The address."),
        .written("port", \.endpoint.port, .integer, "The port."),
        .written(
            "certificate",
            \.endpoint.certificate,
            .nullable(.string),
            "The root of the certificates that it shows to peers, as PEM."
        ),
        .written(
            "pin",
            \.endpoint.pin,
            .nullable(.string),
            "The PIN with which senders are paired."
        )
    )

    /// The content as one line, without a line break.
    package var json: String { Self.format.json(self) }

    /// Writes the file atomically, so that a reader sees all of it or nothing.
    ///
    /// Only the owner may read the file, even while it is written, because it contains the setup code.
    package func write(to path: String) throws(HostError) {
        do throws(AtomicFile.Failure) {
            try AtomicFile.write(Array("\(json)\n".utf8), to: path, permissions: .owner)
        } catch {
            throw Self.unwritable(path)
        }
    }

    /// Checks that the file can be written, before anything starts.
    ///
    /// - Throws: ``HostError`` if the path names anything but a new file, an empty one or an earlier ready file, which
    ///   alone are replaced and removed, or if it is in a folder that does not exist or that this user may not write to.
    package static func check(_ path: String) throws(HostError) {
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw HostError.failed("\(path.printable) is not a file: name a file as the ready file.")
            }
            guard isReadyFile(path) else {
                throw HostError.failed(
                    "\(path.printable) is another file, which the ready file would replace; name a new one."
                )
            }
        }
        let url = URL(fileURLWithPath: path)
        guard !path.isEmpty, !path.hasSuffix("/"), url.lastPathComponent.utf8.count <= maximumNameLength,
            access(url.deletingLastPathComponent().path, W_OK | X_OK) == 0
        else { throw unwritable(path) }
    }

    /// The maximum number of bytes of the name: a file is written under a longer temporary name first.
    private static let maximumNameLength = 200

    /// Returns whether a file is empty or has been written as a ready file.
    private static func isReadyFile(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: beginning.utf8.count)
        let count = read(descriptor, &start, start.count)
        return count == 0 || count == start.count && start.elementsEqual(beginning.utf8)
    }

    private static let beginning = "{\"servers\":"

    private static func unwritable(_ path: String) -> HostError {
        HostError.failed(
            "The ready file \"\(path.printable)\" cannot be written; name one in a folder that exists and that you may write "
                + "to."
        )
    }

    /// Removes the file of a server that has stopped, or that was killed.
    ///
    /// Anything else of this name stays.
    package static func remove(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, isReadyFile(path) {
            unlink(path)
        }
    }
}

/// The ready file of servers that are added and removed after the start.
package actor ServedReadyFile: HostObserver {
    private let path: String?
    /// What the file describes, once it is written.
    private var written: (host: AccessoryHost, console: String?)?
    private var isChanged = false

    /// - Parameter path: The path of the file, or `nil` for none.
    package init(_ path: String?) {
        self.path = path
    }

    /// Writes the file for the first time.
    package func write(_ file: ReadyFile, of host: AccessoryHost, console: String?) throws(HostError) {
        guard let path else { return }
        try file.write(to: path)
        written = (host, console)
    }

    package nonisolated func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)? {
        path == nil ? nil : EndpointObserver(file: self)
    }

    package func observe(_ change: HostChange) async { await rewrite() }

    /// Writes the file again; a file that cannot be written stays as it was.
    fileprivate func rewrite() async {
        isChanged = true
        // A change while the file is collected is in the next one.
        while isChanged, let path, let written {
            isChanged = false
            let file = await ReadyFile(of: written.host, console: written.console)
            if !isChanged, self.written != nil { try? file.write(to: path) }
        }
    }

    /// Removes the file; it is not written again.
    package func remove() {
        written = nil
        if let path { ReadyFile.remove(path) }
    }
}

/// Writes the ready file again when a driver of a server begins or ends to listen.
private struct EndpointObserver: ServerObserver, HostedServerObserver {
    let file: ServedReadyFile

    func observe(_ event: ServerEvent) {
        guard case .driverEvent(_, let driver) = event, ["listening", "ended"].contains(driver.name) else { return }
        Task { await file.rewrite() }
    }
}
