internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
internal import HAPServer
package import Simulation

/// A runner of a scenario on servers of this process.
///
/// At full speed, the simulation's clock is paused and jumps from event to event; it runs in real time only while the
/// scenario waits for a controller. If the scenario does not run at full speed, time passes according to the servers'
/// clocks.
package struct ScenarioRunner: Sendable {
    /// The longest wait before the runner checks whether the speed of a clock has changed.
    private static let longestWait = Duration.seconds(1)

    private let plan: ScenarioPlan
    private let host: AccessoryHost
    private let mailbox: ScenarioEventMailbox
    private let isFast: Bool
    private let reportsEverything: Bool
    private let report: @Sendable (ScenarioProgress, _ time: Duration) -> Void

    /// - Parameters:
    ///   - host: The servers. Their home is stepped at full speed, and runs by itself otherwise.
    ///   - mailbox: The mailbox that receives the events of the servers.
    ///   - isFast: Whether the scenario runs at full speed.
    ///   - reportsEverything: Whether events that the scenario does not observe are reported, too.
    ///   - report: Receives the progress, and the time since the beginning.
    package init(
        _ plan: ScenarioPlan,
        on host: AccessoryHost,
        mailbox: ScenarioEventMailbox = ScenarioEventMailbox(),
        isFast: Bool,
        reportsEverything: Bool = true,
        report: @escaping @Sendable (ScenarioProgress, _ time: Duration) -> Void
    ) {
        self.plan = plan
        self.host = host
        self.mailbox = mailbox
        self.isFast = isFast
        self.reportsEverything = reportsEverything
        self.report = report
    }

    /// The home, if it is stepped.
    private var steppedHome: SimulatedHome? {
        host.home.flatMap { $0.isStepped ? $0 : nil }
    }

    /// Runs the scenario and returns the result; if the task is canceled, returns the result up to that point.
    package func run() async -> ScenarioResult {
        if isFast {
            await host.stopClocks()
        }
        let start = await host.now
        let servers = host.servers
        mailbox.open(on: servers) { [plan, reportsEverything] fact in reportsEverything || plan.observes(fact) }
        defer { mailbox.close(on: servers) }
        var machine = ScenarioMachine(
            plan,
            values: await host.values(of: plan.observedCharacteristics),
            startedAt: start
        )
        var isPaused = false
        var reported = 0
        var deadline: MonotonicInstant?
        while true {
            let now = await host.now
            // What a device does until the deadline counts, even if its timer is late.
            if !isFast, let deadline, deadline <= now { await host.handleDueEvents(through: deadline) }
            deliverEvents(to: &machine, from: start, at: now)
            if Task.isCancelled { machine.interrupt(at: now) }
            let instruction = machine.nextInstruction(at: now, lateness: await lateness)
            for step in machine.finishedSteps.dropFirst(reported) {
                report(.step(step), step.end)
            }
            reported = machine.finishedSteps.count
            deadline = nil
            switch instruction {
            case .finish(let result): return result
            case .perform(let action):
                let result = await perform(action, &machine, from: start, &isPaused)
                let now = await host.now
                deliverEvents(to: &machine, from: start, at: now)
                // A device that restarts changes its values without events.
                if action.changesState { machine.setValues(await host.values(of: plan.observedCharacteristics)) }
                if Task.isCancelled { machine.interrupt(at: now) } else { machine.didPerform(result, at: now) }
            case .wait(let time, let forOthers):
                deadline = time
                if isFast, isPaused {
                    machine.stop(because: Self.clockPausedMessage, at: now)
                } else if isFast, !forOthers {
                    await step(until: time)
                } else {
                    await wait(until: time)
                }
            }
        }
    }

    private static let clockPausedMessage = "Time is paused here, so nothing can occur. Write \"resume\" before."
    private static let overflowMessage =
        "More than \(SelectedEvents.capacity) events occurred at once, and some of them were lost. "
        + "Cause fewer events, or serve fewer accessories."

    private func deliverEvents(
        to machine: inout ScenarioMachine,
        from start: MonotonicInstant,
        at now: MonotonicInstant
    ) {
        for fact in mailbox.dequeue() ?? [] {
            machine.observe(fact)
            report(.event(fact), start.duration(to: now))
        }
        if mailbox.hasOverflowed { machine.stop(because: Self.overflowMessage, at: now) }
    }

    private func perform(
        _ action: ResolvedAction,
        _ machine: inout ScenarioMachine,
        from start: MonotonicInstant,
        _ isPaused: inout Bool
    ) async -> Result<String, SimulationError> {
        do throws(SimulationError) {
            switch action {
            case .log(let text):
                report(.message(text), start.duration(to: await host.now))
                return .success("")
            case .advance(let duration) where !isFast:
                try await host.advance(by: duration) { now in deliverEvents(to: &machine, from: start, at: now) }
            case .advance(let duration):
                let target = await host.now.advanced(by: duration)
                while await host.now < target {
                    guard !Task.isCancelled else { throw .cancelled }
                    await step(until: target)
                    deliverEvents(to: &machine, from: start, at: await host.now)
                }
                return .success("")
            // At full speed the clock is already paused between jumps.
            case .pause where isFast: isPaused = true
            case .resume where isFast: isPaused = false
            case .arrive(let name): try await setPresence(true, of: name)
            case .leave(let name): try await setPresence(false, of: name)
            case .set, .command, .act, .fault, .clear, .pause, .resume, .scale:
                let words = try await host.perform(action)
                if isFast, let home = steppedHome {
                    await home.advance(to: await host.now)
                }
                return .success(words)
            }
            return .success("")
        } catch {
            return .failure(error)
        }
    }

    private func setPresence(_ isHome: Bool, of name: String) async throws(SimulationError) {
        guard let home = host.home else { throw .noHome }
        try await home.setPresence(isHome, of: name)
    }

    /// The tolerance for waits while the clock is running: the simulated time of one real second.
    private var lateness: Duration {
        get async {
            guard !isFast else { return .zero }
            let horizon = Duration.seconds(1_000_000)
            guard let delay = await host.delay(until: await host.now.advanced(by: horizon)), delay > .zero else {
                return .zero
            }
            return .seconds(min(horizon / delay, 86_400))
        }
    }

    /// Jumps to the next event, at most up to a limit.
    private func step(until limit: MonotonicInstant) async {
        let next = await host.nextStep(after: await host.now, until: limit, deadline: steppedHome?.nextDeadline)
        if let home = steppedHome {
            await home.advance(to: next)
        } else {
            // No event is due before `next`.
            await host.jump(to: next)
        }
    }

    /// Waits in real time for an event, or until the simulation's clock reaches a time.
    private func wait(until time: MonotonicInstant) async {
        if isFast {
            await host.changeClocks { clock, now in clock.resume(at: now) }
        }
        let delay = min(await host.delay(until: time) ?? Self.longestWait, Self.longestWait)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [mailbox] in await mailbox.wait() }
            group.addTask { try? await Task.sleep(for: delay, tolerance: .zero) }
            await group.next()
            group.cancelAll()
        }
        if isFast {
            await host.stopClocks()
            if let home = steppedHome { await home.advance(to: await host.now) }
        }
    }
}

/// The progress of a running scenario.
package enum ScenarioProgress: Sendable {
    /// An event in a server.
    case event(ScenarioEvent)
    /// A step ended.
    case step(StepResult)
    /// A message that the scenario logs.
    case message(String)
}
