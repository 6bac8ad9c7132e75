import AsyncPrimitives
import FoundationEssentials
import Glibc
import HAPCore
import Hosting
import Storage
import WebConsole

/// The console of this process, on the Unix socket in the state folder and on a TCP port.
struct ConsoleHost: Sendable {
    /// The first port that is tried, and the number of ports.
    private static let ports = (8_181...8_280)

    private let console: Console
    private let sockets: ConsoleSockets
    private let process: RunningProcess
    private let address: ConsoleAddress
    private let printer: LinePrinter

    init(_ console: Console, _ process: RunningProcess, at address: ConsoleAddress, _ printer: LinePrinter) {
        self.console = console
        sockets = ConsoleSockets(console)
        self.process = process
        self.address = address
        self.printer = printer
    }

    /// A console that listens.
    struct Listening: Sendable {
        fileprivate let sockets: ConsoleSockets
        fileprivate let files: [String]
        /// The address of the page without the token, or `nil` if the console does not listen on TCP.
        let url: String?
        /// The link to the page, or `nil` if the console does not listen on TCP.
        let link: ConsoleLink?

        /// Accepts no more connections and requests.
        func stopAccepting() async {
            await sockets.stopAccepting()
        }

        /// Stops listening when the pending requests are answered, and removes the socket.
        func stop() async {
            await sockets.stop()
            for file in files { unlink(file) }
        }
    }

    /// Listens, and returns when connections are accepted.
    ///
    /// The Unix socket and the default port are a convenience: without them, the process warns and continues.
    ///
    /// - Throws: ``CommandFailure`` if an address that was asked for cannot be listened on.
    func start() async throws(CommandFailure) -> Listening {
        var files: [String] = []
        if await startSocket() {
            files = [process.socket]
            if let note = ProcessRegistry(CommandContext.current.environment)?.register(process) { files.append(note) }
        }
        var url: String?
        var link: ConsoleLink?
        do throws(CommandFailure) {
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
    private func startTCP() async throws(CommandFailure) -> (authority: String, AccessToken)? {
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
                throw CommandFailure.failed(
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
        printer.printLine("Console: \(text)".printable)
    }
}

/// The link to the page, as it is shown to the user.
struct ConsoleLink: Sendable {
    /// The address and the port.
    let authority: String
    let token: AccessToken
    let tokenFile: TokenFile

    /// The text for standard output.
    var text: String { text(isTerminal: CommandContext.current.isOutputTerminal) }

    /// Returns the link with the token in its fragment, or the address and the place of the token.
    ///
    /// The token is shown only on a terminal: other output is stored, as in the journal of systemd or the log of a CI
    /// run, and can be read by other users.
    func text(isTerminal: Bool) -> String {
        isTerminal
            ? "http://\(authority)/#token=\(token.secret)"
            : "http://\(authority)/ (the token is in \(tokenFile.path))".printable
    }
}
