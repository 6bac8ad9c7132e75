internal import FoundationEssentials
internal import Glibc
internal import Hosting

/// The console of this process, on the Unix socket in the state folder and on a TCP port.
package struct ConsoleHost: Sendable {
    /// The first port that is tried, and the number of ports.
    private static let ports = (8_181...8_280)

    private let console: Console
    private let sockets: ConsoleSockets
    private let process: RunningProcess
    private let address: ConsoleAddress
    private let registry: ProcessRegistry?
    private let report: @Sendable (String) -> Void

    /// Creates a console that does not listen yet.
    ///
    /// - Parameters:
    ///   - console: The answers to requests.
    ///   - process: The process, with its state folder.
    ///   - address: Where it listens on TCP.
    ///   - registry: Where commands find the process without its state folder, or `nil` if there is no such place.
    ///   - report: Receives sentences about what does not work.
    package init(
        _ console: Console,
        _ process: RunningProcess,
        at address: ConsoleAddress,
        notedIn registry: ProcessRegistry?,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.console = console
        sockets = ConsoleSockets(console)
        self.process = process
        self.address = address
        self.registry = registry
        self.report = report
    }

    /// A console that listens.
    package struct Listening: Sendable {
        fileprivate let sockets: ConsoleSockets
        fileprivate let files: [String]
        /// The address of the page without the token, or `nil` if the console does not listen on TCP.
        package let url: String?
        /// The link to the page, or `nil` if the console does not listen on TCP.
        package let link: ConsoleLink?

        /// Accepts no more connections and requests.
        package func stopAccepting() async {
            await sockets.stopAccepting()
        }

        /// Stops listening when the pending requests are answered, and removes the socket.
        package func stop() async {
            await sockets.stop()
            for file in files { unlink(file) }
        }
    }

    /// Listens, and returns when connections are accepted.
    ///
    /// The Unix socket and the default port are a convenience: without them, the process warns and continues.
    ///
    /// - Throws: ``HostError`` if an address that was asked for cannot be listened on.
    package func start() async throws -> Listening {
        var files: [String] = []
        if await startSocket() {
            files = [process.socket]
            if let note = registry?.register(process) { files.append(note) }
        }
        var url: String?
        var link: ConsoleLink?
        do {
            if let (authority, token) = try await startTCP() {
                url = "http://\(authority)"
                link = ConsoleLink(authority: authority, token: token, tokenFile: TokenFile(in: process.folder))
            }
        } catch {
            await Listening(sockets: sockets, files: files, url: nil, link: nil).stop()
            throw error
        }
        return Listening(sockets: sockets, files: files, url: url, link: link)
    }

    /// Listens on the Unix socket, and returns whether that is possible.
    private func startSocket() async -> Bool {
        guard process.hasValidPath else {
            warn(
                "The path \(process.socket) has more than \(RunningProcess.maximumPathLength) bytes, so commands cannot "
                    + "reach this process; choose a shorter state folder with --state."
            )
            return false
        }
        guard !process.isRunning else {
            warn("Another process answers on \(process.socket), so commands reach that one; stop it first.")
            return false
        }
        do {
            try await sockets.listen(onSocket: process.socket)
            return true
        } catch {
            warn("The socket \(process.socket) cannot be opened, so commands cannot reach this process: \(error).")
            return false
        }
    }

    /// Listens on TCP, unless it is off.
    private func startTCP() async throws -> (authority: String, AccessToken)? {
        let host: String
        let candidates: [Int]
        switch address {
        case .off: return nil
        case .automatic: (host, candidates) = ("127.0.0.1", Array(Self.ports))
        case .fixed(let fixed, let port): (host, candidates) = (fixed, [Int(port)])
        }
        let token = try TokenFile(in: process.folder).token()
        let sessions = "\(process.folder)/console.sessions"
        for port in candidates {
            do {
                let port = try await sockets.listen(host: host, port: port, token, endedSessions: sessions)
                let shown = host.contains(":") ? "[\(host)]" : host
                return ("\(shown):\(port)", token)
            } catch {
                guard address != .automatic else { continue }
                throw HostError.failed(
                    "The console cannot listen on \(host) port \(port): \(error). Choose another address with --console, "
                        + "or turn it off with --console off."
                )
            }
        }
        warn(
            "No port from \(Self.ports.lowerBound) to \(Self.ports.upperBound) is free, so there is no console on TCP."
        )
        return nil
    }

    private func warn(_ text: String) {
        report("Console: \(text)")
    }
}

/// The link to the page, as it is shown to the user.
package struct ConsoleLink: Sendable {
    /// The address and the port.
    package let authority: String
    package let token: AccessToken
    package let tokenFile: TokenFile

    package init(authority: String, token: AccessToken, tokenFile: TokenFile) {
        self.authority = authority
        self.token = token
        self.tokenFile = tokenFile
    }
}
