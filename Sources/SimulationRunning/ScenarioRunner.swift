internal import AccessoryModel
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
    private let home: SteppedHome?
    private let isFast: Bool
    private let tell: @Sendable (ScenarioNews, _ time: Duration) -> Void

    /// - Parameters:
    ///   - mailbox: Where the servers' taps put their facts.
    ///   - home: Whose automations run beside; at full speed only, else it runs by itself.
    ///   - isFast: Whether it is run at full speed.
    ///   - tell: Is told what happens, and how long after the beginning.
    package init(
        _ plan: ScenarioPlan,
        on stage: SimulationStage,
        hearing mailbox: FactMailbox,
        home: SteppedHome? = nil,
        isFast: Bool,
        tell: @escaping @Sendable (ScenarioNews, _ time: Duration) -> Void
    ) {
        self.plan = plan
        self.stage = stage
        self.mailbox = mailbox
        self.home = home
        self.isFast = isFast
        self.tell = tell
    }

    /// Runs it; a task that is cancelled ends it with what was done by then.
    package func run() async -> ScenarioResult {
        if isFast {
            await stage.stopClocks()
        }
        let start = await stage.now
        _ = mailbox.takeAll()
        var machine = ScenarioMachine(plan, values: await stage.values(of: plan.places), startedAt: start)
        var told = 0
        while true {
            let now = await stage.now
            hear(&machine, at: start.duration(to: now))
            let instruction = Task.isCancelled ? nil : machine.next(at: now)
            for step in machine.endedSteps.dropFirst(told) {
                tell(.step(step), step.end)
            }
            told = machine.endedSteps.count
            switch instruction {
            case nil:
                machine.stop(because: "The run was ended.", at: now)
                return machine.result
            case .finish(let result): return result
            case .perform(let action):
                let result = await perform(action, &machine, start)
                hear(&machine, at: start.duration(to: await stage.now))
                machine.performed(result, at: await stage.now)
            case .wait(let time, let forOthers):
                if isFast, !forOthers {
                    await step(until: time)
                } else {
                    await wait(until: time)
                }
            }
        }
    }

    private func hear(_ machine: inout ScenarioMachine, at time: Duration) {
        for fact in mailbox.takeAll() {
            machine.observed(fact)
            tell(.fact(fact), time)
        }
    }

    private func perform(
        _ action: SimulationAction,
        _ machine: inout ScenarioMachine,
        _ start: MonotonicInstant
    ) async -> Result<String, SimulationError> {
        if case .log(let text) = action {
            tell(.said(text), start.duration(to: await stage.now))
        }
        if isFast {
            switch action {
            case .advance(let duration):
                let target = await stage.now.advanced(by: duration)
                while await stage.now < target, !Task.isCancelled {
                    await step(until: target)
                    hear(&machine, at: start.duration(to: await stage.now))
                }
                return .success("Time has passed by \(ScenarioText.duration(duration)).")
            // It stands still anyway but for jumps.
            case .pause: return .success("Time stands still.")
            case .resume: return .success("Time goes on.")
            case .set, .press, .stop, .obstruct, .clearObstruction, .fault, .clear, .scale, .log: break
            }
        }
        let result: Result<String, SimulationError>
        do throws(SimulationError) {
            result = .success(try await stage.perform(action))
        } catch {
            result = .failure(error)
        }
        if isFast, let home {
            await home.advance(to: await stage.now)
        }
        return result
    }

    /// Jumps to the next thing that is due, at most so far.
    private func step(until limit: MonotonicInstant) async {
        let now = await stage.now
        var next = min(limit, await stage.nextMotion ?? limit)
        if let deadline = await home?.nextDeadline { next = min(next, deadline) }
        // What is always due holds time no longer than a millisecond.
        next = next > now ? next : min(limit, now.advanced(by: .milliseconds(1)))
        if let home {
            await home.advance(to: next)
        } else {
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
            if let home { await home.advance(to: await stage.now) }
        }
    }
}
