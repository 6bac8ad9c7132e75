internal import AsyncPrimitives
internal import Glibc
internal import Hosting
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The sockets on which a console answers, on the ``ServiceThread``.
package final class ConsoleSockets: Sendable {
    private let console: Console
    private let stopTime: Duration
    /// The usual time for which the end of a process waits for pending responses.
    package static let standardStopTime = Duration.seconds(5)
    /// The bytes of all bodies that clients with access have begun to send.
    private let bodies = BodyBudget(ConsoleLimits.bodies)
    private let listeners = Mutex<[ConsoleListener]>([])

    /// The number of requests that were received and are not yet answered.
    var pendingResponseCount: Int { listeners.withLock(\.self).map(\.connections.pendingResponseCount).reduce(0, +) }

    /// - Parameter stopTime: The time for which ``stop()`` waits for pending responses.
    package init(_ console: Console, stopTime: Duration = ConsoleSockets.standardStopTime) {
        self.console = console
        self.stopTime = stopTime
    }

    /// Listens on a Unix socket that only this user can open, until ``stop()``.
    ///
    /// A socket that an earlier process left behind is replaced. The folder must be private.
    ///
    /// - Throws: ``ListenFailure``
    package func listen(onSocket path: String) async throws(ListenFailure) {
        let listener = makeListener(access: nil)
        do {
            try await listener.listen(onSocket: path, ServiceThread.group)
        } catch {
            throw ListenFailure(error)
        }
        guard chmod(path, 0o600) == 0 else {
            let failure = ListenFailure(
                reason: "its permissions cannot be changed: \(String(cString: strerror(errno)))"
            )
            await listener.stopAccepting()
            throw failure
        }
        listeners.withLock { $0.append(listener) }
    }

    /// Listens on a TCP port until ``stop()``, and returns the port.
    ///
    /// - Parameter endedSessions: The file with the sessions of browsers that were ended, or `nil` for none.
    /// - Throws: ``ListenFailure``, for example if the port is in use.
    package func listen(
        host: String,
        port: Int,
        _ token: AccessToken,
        endedSessions: String? = nil
    ) async throws(ListenFailure) -> Int {
        let listener = makeListener(access: AccessControl(token, endedSessions: endedSessions))
        let bound: Int
        do {
            bound = try await listener.listen(host: host, port: port, ServiceThread.group)
        } catch {
            throw ListenFailure(error)
        }
        listeners.withLock { $0.append(listener) }
        return bound
    }

    private func makeListener(access: AccessControl?) -> ConsoleListener {
        ConsoleListener(console, access: access, bodies: bodies, executor: ServiceThread.executor)
    }

    /// Accepts no more connections and requests; those that are pending are still answered.
    package func stopAccepting() async {
        for listener in listeners.withLock(\.self) { await listener.stopAccepting() }
    }

    /// Accepts no more requests, and waits until those that are pending are answered.
    ///
    /// A request that is not answered in time is given up.
    package func stop() async {
        await stopAccepting()
        let finished = listeners.withLock(\.self)
            .map { listener in Task { [stopTime] in await listener.connections.finish(within: stopTime) } }
        for finish in finished { _ = await finish.value }
    }
}

/// The memory that the bodies of all requests may take up together.
final class BodyBudget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    /// - Parameter limit: The maximum number of bytes.
    init(_ limit: Int) {
        self.limit = limit
    }

    /// Adds a number of bytes; returns `false`, and adds nothing, if there would be too many.
    func reserve(_ count: Int) -> Bool {
        used.withLock { used in
            guard used + count <= limit else { return false }
            used += count
            return true
        }
    }

    /// Removes a number of bytes.
    func release(_ count: Int) {
        used.withLock { $0 -= count }
    }
}

/// The reason why a socket cannot be listened on, as the end of a sentence.
package struct ListenFailure: Error, CustomStringConvertible {
    let reason: String

    init(reason: String) {
        self.reason = reason
    }

    /// Takes the text of the system, without the name of NIO's internal function.
    init(_ error: any Error) {
        reason =
            switch error {
            case let error as IOError: String(cString: strerror(error.errnoCode))
            case is UnixDomainSocketPathWrongType: "a file of this name is not a socket"
            default: "\(error)"
            }
    }

    package var description: String { reason }
}
