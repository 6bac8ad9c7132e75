internal import AsyncPrimitives
internal import HAPServer
package import HomeModel

extension HomeRunner {
    /// How often something may be due at one and the same instant before time goes on all the same.
    private static let maximumStepsAtOneInstant = 1_000

    /// When the engine has something to do next; `nil` while it only waits for what happens.
    package var nextDeadline: WallInstant? { engine.nextDeadline }

    /// Begins to run the home step by step, instead of ``run()``: takes the present values.
    package func beginStepping(in stepped: InProcessBackend) async {
        await stepped.startObserving(observedReferences)
        await processChanges(at: await stepped.now)
    }

    /// Lets time pass in a world that is told so, from one thing that is due to the next, in the engine and in the world
    /// together.
    ///
    /// Everything happens one after the other, so that it is the same twice.
    package func advance(to target: WallInstant, in stepped: some SteppedHomeBackend) async {
        await advance(to: target, in: stepped, ahead: .zero)
    }

    /// Lets a home that ``run()`` runs wait until ``endManualTime()``: what is due is done by ``advance(by:in:)`` alone.
    ///
    /// The world's clocks must stand still meanwhile.
    package func beginManualTime() {
        manualTimeCount += 1
    }

    /// Lets it go on by itself.
    package func endManualTime() {
        manualTimeCount -= 1
        manualTimeEnded.signal()
    }

    /// Lets time pass at once between ``beginManualTime()`` and ``endManualTime()``.
    ///
    /// What is due meanwhile happens at its time, and in its order. A task that is cancelled ends it early.
    package func advance(by duration: Duration, in served: InProcessBackend) async {
        let now = await clock.now
        let ahead = await served.now.duration(to: now)
        await advance(to: now.advanced(by: duration), in: served, ahead: ahead)
    }

    /// How long it is until the engine has something to do; `nil` while it only waits for what happens.
    package var timeUntilDeadline: Duration? {
        get async {
            guard let deadline = engine.nextDeadline else { return nil }
            return await clock.now.duration(to: deadline)
        }
    }

    /// - Parameter ahead: How much later the home's clock is than the world's.
    private func advance(to target: WallInstant, in stepped: some SteppedHomeBackend, ahead: Duration) async {
        let behind = Duration.zero - ahead
        var now = await stepped.now.advanced(by: ahead)
        await processChanges(at: now)
        var steps = 0
        while !Task.isCancelled {
            let motion = await stepped.nextChange?.advanced(by: ahead)
            let due = min(motion ?? .distantFuture, engine.nextDeadline ?? .distantFuture)
            guard due <= target else {
                now = target
                break
            }
            steps = due > now ? 0 : steps + 1
            now = steps < Self.maximumStepsAtOneInstant ? max(now, due) : now.advanced(by: .seconds(1))
            await stepped.advance(to: now.advanced(by: behind))
            await processChanges(at: now)
        }
        await stepped.advance(to: now.advanced(by: behind))
        await processChanges(at: now)
    }

    /// Somebody came or went; what comes of it is done when it returns.
    package func setPresence(_ isHome: Bool?, of user: ObjectID<HomeUser>, in stepped: some SteppedHomeBackend) async {
        let now = await stepped.now
        await processChanges(at: now)
        await executeInOrder(handle(engine.observe(.presence(user, isHome: isHome), at: now)), at: now)
        await processChanges(at: now)
    }

    /// Takes what has happened and does what comes of it, until nothing more does.
    private func processChanges(at now: WallInstant) async {
        for _ in 0..<Self.maximumStepsAtOneInstant {
            let requests = handle(backend.mailbox.dequeue() ?? [], at: now) + handle(engine.advance(to: now))
            guard !requests.isEmpty else { return }
            await executeInOrder(requests, at: now)
        }
    }

    /// One request after the other: side by side, what they change would be told in any order.
    private func executeInOrder(_ requests: [RunRequest], at now: WallInstant) async {
        for job in requests.map(queuedRun) {
            var outcomes: [[ActionResult.Outcome]] = []
            for (request, ticket) in zip(job.execution.plan.requests, job.positions) {
                outcomes.append(await write(request, ticket))
            }
            observer?.observe(.ran(job.request, job.execution.results(outcomes)), in: home, at: now)
        }
    }
}
