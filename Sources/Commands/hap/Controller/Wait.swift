import ArgumentParser
import Documents
import HAPController
import HAPCore
import Hosting
import Simulation
import Synchronization

/// The command `hap wait`, which waits until characteristics have values.
struct Wait: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until characteristics of an accessory have values.",
        discussion: """
            Waits until all the characteristics have the given values at the same time, then prints the values and \
            exits with 0. Values are written as for 'hap put'. If the accessory cannot be reached, it is tried again \
            every second. If a characteristic sends no events, all are read every second.

            Exits with 1 if the time runs out first, or if a signal ends the wait. Exits with 69 if the accessory cannot \
            be reached when the time runs out.

            EXAMPLE
              hap put kilgo-garage TargetDoorState=Open
              hap wait kilgo-garage CurrentDoorState=Open --within 15s
            """
    )

    private static let shortestWait = Duration.milliseconds(1)
    private static let longestWait = Duration.seconds(365 * 86_400)
    private static let retryDelay = Duration.seconds(1)

    @Argument(help: .value("alias", "The accessory."), completion: ControllerCompletion.aliases)
    var alias: String

    @Argument(
        help: .value("aid.iid|name=value", "The characteristics and the values to wait for."),
        completion: ControllerCompletion.assignments(.read)
    )
    var assignments: [String]

    @Option(help: .value("time", "How long to wait: 500ms, 15s, \"1h 30min\"."))
    var within = "1min"

    @OptionGroup var options: ControllerOptions

    private var limit: Duration? {
        DurationText.readSum(within).flatMap { (Self.shortestWait...Self.longestWait).contains($0) ? $0 : nil }
    }

    func validate() throws {
        try CharacteristicAssignments.validate(assignments)
        guard limit != nil else { throw ValidationError("Write --within as 500ms, 15s or 5min, up to 365d.") }
    }

    func run() async throws {
        let signals = await CommandContext.current.stopSignals()
        let limit = limit ?? .zero
        try await options.withController { controller in
            let accessory = try await controller.accessory(alias)
            let progress = WaitProgress()
            let results = try await withThrowingTaskGroup(of: CharacteristicReport?.self) { group in
                group.addTask {
                    for await _ in signals {
                        ForcedExit.schedule()
                        throw CommandFailure.failed("A signal ended the wait.")
                    }
                    return nil
                }
                group.addTask {
                    try? await Task.sleep(for: limit)
                    return nil
                }
                group.addTask { try await wait(for: accessory, progress) }
                // The first of these ends the command: a signal, the end of the time, the values, or a failure.
                defer { group.cancelAll() }
                let first = try await group.next() ?? nil
                await accessory.close()
                return first
            }
            guard let results = results ?? (progress.isMet ? progress.report : nil) else {
                throw progress.failure(after: within)
            }
            try options.write(results.text, results, CharacteristicReport.format)
        }
    }

    /// Waits for the values, over as many connections as that takes.
    private func wait(for accessory: PairedAccessory, _ progress: WaitProgress) async throws -> CharacteristicReport {
        var reportsChanges = true
        while true {
            do {
                let database = try await accessory.accessories()
                let wanted = try CharacteristicAssignments(assignments, in: database)
                let ids = wanted.found.map(\.id)
                for found in wanted.found where found.characteristic.permissions.isDisjoint(with: [.read, .events]) {
                    throw CommandFailure.usage(
                        "\(found.title(onBridge: false)) can only be written; name a characteristic that can be read."
                    )
                }
                progress.begin(wanted, isBridge: database.count > 1)
                let hasEvents = wanted.found.allSatisfy { $0.characteristic.permissions.contains(.events) }
                if reportsChanges, hasEvents {
                    changes: for try await change in await accessory.changes(of: ids) {
                        switch change {
                        case .value(let id, let value): progress.record([CharacteristicResult(id, value: value)])
                        case .unreadable(let result): progress.record([result])
                        case .connected: progress.forgetValues()
                        case .disconnected(let error): progress.record(error)
                        case .refused:
                            reportsChanges = false
                            break changes
                        case .databaseChanged: break changes
                        }
                        if progress.isMet { return progress.report }
                    }
                } else {
                    progress.record(try await accessory.read(ids))
                    if progress.isMet { return progress.report }
                }
            } catch let error as ControllerError where error.meansUnreachable {
                progress.record(error)
            }
            try await Task.sleep(for: Self.retryDelay)
        }
    }
}

/// What `hap wait` waits for, and what it has seen so far.
private final class WaitProgress: Sendable {
    private struct State {
        var wanted: CharacteristicAssignments?
        var isBridge = false
        var results: [CharacteristicID: CharacteristicResult] = [:]
        var error: ControllerError?
    }

    private let state = Mutex(State())

    /// Begins to wait for these values on a new connection.
    func begin(_ wanted: CharacteristicAssignments, isBridge: Bool) {
        state.withLock { $0 = State(wanted: wanted, isBridge: isBridge) }
    }

    /// Forgets the values of an earlier session, which may have changed since.
    func forgetValues() {
        state.withLock { state in
            state.results = [:]
            state.error = nil
        }
    }

    func record(_ results: [CharacteristicResult]) {
        state.withLock { state in
            for result in results { state.results[result.id] = result }
            state.error = nil
        }
    }

    /// Records why there is no connection, and forgets the values of the last one.
    func record(_ error: ControllerError) {
        state.withLock { state in
            state.results = [:]
            state.error = error
        }
    }

    /// Whether all characteristics had their values at the same time.
    var isMet: Bool {
        state.withLock { state in
            guard let wanted = state.wanted else { return false }
            return zip(wanted.found, wanted.values)
                .allSatisfy { found, value in
                    let result = state.results[found.id]
                    return result?.isSuccess == true && ScenarioWait.Test.equals(value).holds(result?.value)
                }
        }
    }

    /// The characteristics with the values that were seen last.
    var report: CharacteristicReport {
        state.withLock { state in
            let found = state.wanted?.found ?? []
            return CharacteristicReport(
                found: found,
                results: found.compactMap { state.results[$0.id] },
                isBridge: state.isBridge
            )
        }
    }

    /// Returns the failure after the time that was given: what was seen instead, or why nothing was seen.
    func failure(after time: String) -> CommandFailure {
        state.withLock { state in
            if let error = state.error { return CommandFailure(error) }
            guard let wanted = state.wanted else {
                return .unavailable("The accessory did not answer within \(time.printable); wait longer.")
            }
            let sentences = zip(wanted.found, wanted.values)
                .compactMap { found, value -> String? in
                    let result = state.results[found.id]
                    guard !ScenarioWait.Test.equals(value).holds(result?.value) else { return nil }
                    let text = found.characteristic.text(of: value)
                    let title = found.title(onBridge: state.isBridge)
                    guard let result else { return "no value of \(title) was received" }
                    guard result.isSuccess else { return "\(title) could not be read: \(result.statusText)" }
                    return "\(title) is \(found.characteristic.text(of: result.value)), not \(text)"
                }
            return .failed("\(sentences.joined(separator: "; ")) after \(time.printable).")
        }
    }
}
