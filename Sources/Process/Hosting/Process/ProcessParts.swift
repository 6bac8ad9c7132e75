package import AsyncPrimitives
internal import Logging
internal import ServiceLifecycle
package import UnixSignals

/// The parts of a process that runs until a signal, a command or a failure ends it.
///
/// The parts begin at the same time. At the end, they end one after the other, the last one first.
package struct ProcessParts: Sendable {
    /// A part, which ends when it is its turn, however early its work is done.
    ///
    /// A `ServiceGroup` cancels all services if one ends out of turn.
    private struct Part: Service {
        let work: @Sendable () async throws -> Void

        func run() async throws {
            try await work()
            try? await gracefulShutdown()
        }
    }

    /// The service whose end ends the group.
    private struct End: Service {
        let end: OneShot<Void>

        func run() async {
            await cancelWhenGracefulShutdown { _ = await end.waitUnlessCancelled() }
        }
    }

    private let group: ServiceGroup

    /// Creates the parts of a process.
    ///
    /// - Parameters:
    ///   - signals: The signals that end the process, trapped before anything begins.
    ///   - end: Ends the process when it is set.
    ///   - works: The work of each part. It returns when it is done, or ends when its task shuts down gracefully or is
    ///     canceled. If it throws an error, the process ends.
    package init(
        until signals: StopSignals,
        or end: OneShot<Void>,
        _ works: [@Sendable () async throws -> Void]
    ) {
        let waitForSignal: @Sendable () async throws -> Void = {
            await cancelWhenGracefulShutdown {
                for await _ in signals {
                    end.set()
                    break
                }
            }
        }
        let parts = (works + [waitForSignal])
            .map { work in
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: Part(work: work),
                    successTerminationBehavior: .ignore,
                    failureTerminationBehavior: .gracefullyShutdownGroup
                )
            }
        let last = ServiceGroupConfiguration.ServiceConfiguration(
            service: End(end: end),
            successTerminationBehavior: .gracefullyShutdownGroup
        )
        let logger = Logger(label: "hap.process") { _ in SwiftLogNoOpLogHandler() }
        group = ServiceGroup(configuration: ServiceGroupConfiguration(services: parts + [last], logger: logger))
    }

    /// Runs the parts until all have ended.
    ///
    /// - Throws: ``HostError`` of the first part that has failed.
    package func run() async throws(HostError) {
        do {
            try await group.run()
        } catch is CancellationError {
            return
        } catch {
            throw error as? HostError ?? HostError.failed("\(error)")
        }
    }
}

/// The signals that end a process, from when it began to receive them.
package typealias StopSignals = any AsyncSequence<UnixSignal, Never> & Sendable
