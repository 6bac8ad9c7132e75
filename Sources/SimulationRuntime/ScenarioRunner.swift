internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
internal import HAPServer
package import Simulation

/// Runs a scenario on servers of this process.
///
/// At full speed, the simulation's time stands still but for jumps from one thing that is due to the next; only while a
/// controller is waited for does it pass as the world's does. Else it passes as the servers' clocks say.
package struct ScenarioRunner: Sendable {
    /// How long is waited before a look whether a clock goes otherwise.
    private static let longestWait = Duration.seconds(1)

    private let plan: ScenarioPlan
    private let servers: SimulationServers
    private let mailbox: ScenarioEventMailbox
    private let isFast: Bool
    private let reportsEverything: Bool
    private let report: @Sendable (ScenarioProgress, _ time: Duration) -> Void

    /// - Parameters:
    ///   - simulation: The servers, with a home that is run step by step at full speed, and by itself otherwise.
    ///   - mailbox: Receives what happens in the servers.
    ///   - isFast: Whether it is run at full speed.
    ///   - reportsEverything: Whether it is also told what the scenario does not look at.
    ///   - report: Is told what happens, and how long after the beginning.
    package init(
        _ plan: ScenarioPlan,
        on simulation: SimulationServers,
        mailbox: ScenarioEventMailbox = ScenarioEventMailbox(),
        isFast: Bool,
        reportsEverything: Bool = true,
        report: @escaping @Sendable (ScenarioProgress, _ time: Duration) -> Void
    ) {
        self.plan = plan
        self.servers = simulation
        self.mailbox = mailbox
        self.isFast = isFast
        self.reportsEverything = reportsEverything
        self.report = report
    }

    /// The home that is run step by step.
    private var steppedHome: SimulatedHome? {
        servers.home.flatMap { $0.isStepped ? $0 : nil }
    }

    /// Runs it; a task that is cancelled ends it with what was done by then.
    package func run() async -> ScenarioResult {
        if isFast {
            await servers.stopClocks()
        }
        let start = await servers.now
        mailbox.open(on: servers.servers) { [plan, reportsEverything] fact in reportsEverything || plan.observes(fact) }
        defer { mailbox.close(on: servers.servers) }
        var machine = ScenarioMachine(
            plan,
            values: await servers.values(of: plan.observedCharacteristics),
            startedAt: start
        )
        var isPaused = false
        var reported = 0
        while true {
            let now = await servers.now
            deliverEvents(to: &machine, from: start, at: now)
            if Task.isCancelled { machine.interrupt(at: now) }
            let instruction = machine.nextInstruction(at: now, lateness: await lateness)
            for step in machine.finishedSteps.dropFirst(reported) {
                report(.step(step), step.end)
            }
            reported = machine.finishedSteps.count
            switch instruction {
            case .finish(let result): return result
            case .perform(let action):
                let result = await perform(action, &machine, from: start, &isPaused)
                let now = await servers.now
                deliverEvents(to: &machine, from: start, at: now)
                // What restarts is as it is without saying so.
                if action.changesState { machine.setValues(await servers.values(of: plan.observedCharacteristics)) }
                if Task.isCancelled { machine.interrupt(at: now) } else { machine.didPerform(result, at: now) }
            case .wait(let time, let forOthers):
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

    private static let clockPausedMessage = "Time stands still here, so that nothing comes. Write \"resume\" before."
    private static let overflowMessage =
        "More than \(SelectedEvents.capacity) things happened at once, and not all of them were heard. "
        + "Let less happen, or serve less."

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
        _ action: SimulationAction,
        _ machine: inout ScenarioMachine,
        from start: MonotonicInstant,
        _ isPaused: inout Bool
    ) async -> Result<String, SimulationError> {
        do throws(SimulationError) {
            switch action {
            case .log(let text):
                report(.message(text), start.duration(to: await servers.now))
                return .success("")
            case .advance(let duration) where !isFast:
                try await servers.advance(by: duration) { now in deliverEvents(to: &machine, from: start, at: now) }
            case .advance(let duration):
                let target = await servers.now.advanced(by: duration)
                while await servers.now < target {
                    guard !Task.isCancelled else { throw .cancelled }
                    await step(until: target)
                    deliverEvents(to: &machine, from: start, at: await servers.now)
                }
                return .success("")
            // At full speed it stands still anyway but for jumps.
            case .pause where isFast: isPaused = true
            case .resume where isFast: isPaused = false
            case .arrive(let name): try await setPresence(true, of: name)
            case .leave(let name): try await setPresence(false, of: name)
            case .set, .press, .stop, .obstruct, .clearObstruction, .fault, .clear, .pause, .resume, .scale:
                let words = try await servers.perform(action)
                if isFast, let home = steppedHome {
                    await home.advance(to: await servers.now)
                }
                return .success(words)
            }
            return .success("")
        } catch {
            return .failure(error)
        }
    }

    private func setPresence(_ isHome: Bool, of name: String) async throws(SimulationError) {
        guard let home = servers.home else { throw .noHome }
        try await home.setPresence(isHome, of: name)
    }

    /// How much simulated time may pass in a second of the world's, in which a clock that runs may be looked at late.
    private var lateness: Duration {
        get async {
            guard !isFast else { return .zero }
            let horizon = Duration.seconds(1_000_000)
            guard let delay = await servers.delay(until: await servers.now.advanced(by: horizon)), delay > .zero else {
                return .zero
            }
            return .seconds(min(horizon / delay, 86_400))
        }
    }

    /// Jumps to the next thing that is due, at most so far.
    private func step(until limit: MonotonicInstant) async {
        let next = await servers.nextStep(after: await servers.now, until: limit, deadline: steppedHome?.nextDeadline)
        if let home = steppedHome {
            await home.advance(to: next)
        } else {
            // Nothing is due before that.
            await servers.jump(to: next)
        }
    }

    /// Waits in the world's time until something happens, or the simulation's clock shows a time.
    private func wait(until time: MonotonicInstant) async {
        if isFast {
            await servers.changeClocks { clock, now in clock.resume(at: now) }
        }
        let delay = min(await servers.delay(until: time) ?? Self.longestWait, Self.longestWait)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [mailbox] in await mailbox.wait() }
            group.addTask { try? await Task.sleep(for: delay, tolerance: .zero) }
            await group.next()
            group.cancelAll()
        }
        if isFast {
            await servers.stopClocks()
            if let home = steppedHome { await home.advance(to: await servers.now) }
        }
    }
}

/// What is told while a scenario runs.
package enum ScenarioProgress: Sendable {
    /// Something has happened in a server.
    case event(ScenarioEvent)
    /// A step has ended.
    case step(StepResult)
    /// The scenario says something.
    case message(String)
}
