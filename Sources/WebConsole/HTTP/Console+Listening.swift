internal import AsyncPrimitives
internal import Documents
internal import Glibc
internal import HAPCore
internal import HummingbirdCore

extension Console {
    /// Counts metrics and collects the history of values, until the task is cancelled.
    package func collectEvents() async {
        // Simulated time is counted from here.
        _ = await time()
        await collector.run()
    }

    /// Listens on a Unix socket that only this user can open, and returns the task that ends with its cancellation.
    ///
    /// A socket that an earlier process left behind is replaced. The folder must be private.
    ///
    /// - Throws: The error of the system.
    package func listen(onSocket path: String) async throws -> Task<Void, Never> {
        let (task, _) = try await start(
            ConsoleListener(self, at: .unixDomainSocket(path: path), access: nil, on: eventLoop)
        )
        guard chmod(path, 0o600) == 0 else {
            task.cancel()
            throw SocketPermissionError(code: errno)
        }
        return task
    }

    /// Listens on a TCP port, and returns the task that ends with its cancellation, and the port.
    ///
    /// - Parameter endedSessions: The file with the sessions of browsers that were ended, or `nil` for none.
    /// - Throws: The error of the system, for example if the port is in use.
    package func listen(
        host: String,
        port: Int,
        _ token: AccessToken,
        endedSessions: String? = nil
    ) async throws -> (task: Task<Void, Never>, port: Int) {
        let access = AccessControl(token, endedSessions: endedSessions)
        let listener = ConsoleListener(self, at: .hostname(host, port: port), access: access, on: eventLoop)
        let (task, bound) = try await start(listener)
        return (task, bound ?? port)
    }

    private func start(_ listener: ConsoleListener) async throws -> (task: Task<Void, Never>, port: Int?) {
        let started = OneShot<Result<Int?, any Error>>()
        let task = Task {
            do {
                try await listener.run { port in started.set(.success(port)) }
            } catch {
                started.set(.failure(error))
            }
        }
        return (task, try await started.wait().get())
    }
}

extension Console {
    /// Passes each event as a line of JSON to a function, from the first known one on, until the task is cancelled.
    package func followEvents(_ receive: (String) -> Void) async {
        var position: UInt64 = 0
        while !Task.isCancelled {
            let (events, missed) = journal.events(after: position, limit: 1_000)
            if missed > 0 { receive("{\"kind\":\"gap\",\"count\":\(missed)}") }
            for event in events {
                position = event.id
                let bytes = JSONWriter.bytes(of: EventResource.format.write(report(of: event)))
                receive(String(decoding: bytes, as: UTF8.self))
            }
            await journal.waitForEvents(after: position)
        }
    }
}

/// The reason for which a socket could not be made private.
private struct SocketPermissionError: Error, CustomStringConvertible {
    let code: Int32

    var description: String { "its permissions cannot be changed: \(String(cString: strerror(code)))" }
}
