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
    private let stage: SimulationStage
    private let mailbox: FactMailbox
    private let isFast: Bool
    private let tellsEverything: Bool
    private let tell: @Sendable (ScenarioNews, _ time: Duration) -> Void

    /// - Parameters:
    ///   - stage: The servers, with a home that is run step by step at full speed, and by itself otherwise.
    ///   - mailbox: Receives what happens in the servers.
    ///   - isFast: Whether it is run at full speed.
    ///   - tellsEverything: Whether it is also told what the scenario does not look at.
    ///   - tell: Is told what happens, and how long after the beginning.
    package init(
        _ plan: ScenarioPlan,
        on stage: SimulationStage,
        hearing mailbox: FactMailbox = FactMailbox(),
        isFast: Bool,
        tellsEverything: Bool = true,
        tell: @escaping @Sendable (ScenarioNews, _ time: Duration) -> Void
    ) {
        self.plan = plan
        self.stage = stage
        self.mailbox = mailbox
        self.isFast = isFast
        self.tellsEverything = tellsEverything
        self.tell = tell
    }

    /// The home that is run step by step.
    private var steppedHome: SimulatedHome? {
        stage.home.flatMap { $0.isStepped ? $0 : nil }
    }

    /// Runs it; a task that is cancelled ends it with what was done by then.
    package func run() async -> ScenarioResult {
        if isFast {
            await stage.stopClocks()
        }
        let start = await stage.now
        mailbox.open(on: stage.members) { [plan, tellsEverything] fact in tellsEverything || plan.hears(fact) }
        defer { mailbox.close(on: stage.members) }
        var machine = ScenarioMachine(plan, values: await stage.values(of: plan.places), startedAt: start)
        var isPaused = false
        var told = 0
        while true {
            let now = await stage.now
            hear(&machine, from: start, at: now)
            if Task.isCancelled { machine.interrupt(at: now) }
            let instruction = machine.next(at: now, lateness: await lateness)
            for step in machine.endedSteps.dropFirst(told) {
                tell(.step(step), step.end)
            }
            told = machine.endedSteps.count
            switch instruction {
            case .finish(let result): return result
            case .perform(let action):
                let result = await perform(action, &machine, from: start, &isPaused)
                let now = await stage.now
                hear(&machine, from: start, at: now)
                // What restarts is as it is without saying so.
                if action.changesSomething { machine.found(await stage.values(of: plan.places)) }
                if Task.isCancelled { machine.interrupt(at: now) } else { machine.performed(result, at: now) }
            case .wait(let time, let forOthers):
                if isFast, isPaused {
                    machine.stop(because: Self.standsStill, at: now)
                } else if isFast, !forOthers {
                    await step(until: time)
                } else {
                    await wait(until: time)
                }
            }
        }
    }

    private static let standsStill = "Time stands still here, so that nothing comes. Write \"resume\" before."
    private static let overfull =
        "More than \(WantedFacts.capacity) things happened at once, and not all of them were heard. "
        + "Let less happen, or serve less."

    private func hear(_ machine: inout ScenarioMachine, from start: MonotonicInstant, at now: MonotonicInstant) {
        for fact in mailbox.take() ?? [] {
            machine.observed(fact)
            tell(.fact(fact), start.duration(to: now))
        }
        if mailbox.isOverfull { machine.stop(because: Self.overfull, at: now) }
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
                tell(.said(text), start.duration(to: await stage.now))
                return .success("")
            case .advance(let duration) where !isFast:
                try await stage.advance(by: duration) { now in hear(&machine, from: start, at: now) }
            case .advance(let duration):
                let target = await stage.now.advanced(by: duration)
                while await stage.now < target {
                    guard !Task.isCancelled else { throw .endedEarly }
                    await step(until: target)
                    hear(&machine, from: start, at: await stage.now)
                }
                return .success("")
            // At full speed it stands still anyway but for jumps.
            case .pause where isFast: isPaused = true
            case .resume where isFast: isPaused = false
            case .arrive(let name): try await setPresence(true, of: name)
            case .leave(let name): try await setPresence(false, of: name)
            case .set, .press, .stop, .obstruct, .clearObstruction, .fault, .clear, .pause, .resume, .scale:
                let words = try await stage.perform(action)
                if isFast, let home = steppedHome {
                    await home.advance(to: await stage.now)
                }
                return .success(words)
            }
            return .success("")
        } catch {
            return .failure(error)
        }
    }

    private func setPresence(_ isHome: Bool, of name: String) async throws(SimulationError) {
        guard let home = stage.home else { throw .noHome }
        try await home.setPresence(isHome, of: name)
    }

    /// How much simulated time may pass in a second of the world's, in which a clock that runs may be looked at late.
    private var lateness: Duration {
        get async {
            guard !isFast else { return .zero }
            let horizon = Duration.seconds(1_000_000)
            guard let delay = await stage.delay(until: await stage.now.advanced(by: horizon)), delay > .zero else {
                return .zero
            }
            return .seconds(min(horizon / delay, 86_400))
        }
    }

    /// Jumps to the next thing that is due, at most so far.
    private func step(until limit: MonotonicInstant) async {
        let next = await stage.nextStep(after: await stage.now, until: limit, or: steppedHome?.nextDeadline)
        if let home = steppedHome {
            await home.advance(to: next)
        } else {
            // Nothing is due before that.
            await stage.jump(to: next)
        }
    }

    /// Waits in the world's time until something happens, or the simulation's clock shows a time.
    private func wait(until time: MonotonicInstant) async {
        if isFast {
            await stage.changeClocks { clock, now in clock.resume(at: now) }
        }
        let delay = min(await stage.delay(until: time) ?? Self.longestWait, Self.longestWait)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [mailbox] in await mailbox.wait() }
            group.addTask { try? await Task.sleep(for: delay, tolerance: .zero) }
            await group.next()
            group.cancelAll()
        }
        if isFast {
            await stage.stopClocks()
            if let home = steppedHome { await home.advance(to: await stage.now) }
        }
    }
}

/// What is told while a scenario runs.
package enum ScenarioNews: Sendable {
    /// Something has happened in a server.
    case fact(ScenarioFact)
    /// A step has ended.
    case step(StepResult)
    /// The scenario says something.
    case said(String)
}
