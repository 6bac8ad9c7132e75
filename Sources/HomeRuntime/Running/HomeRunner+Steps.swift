internal import AsyncPrimitives
internal import HAPServer
package import HomeModel

extension HomeRunner {
    /// How often something may be due at one and the same instant before time goes on all the same.
    private static let maximumStepsAtOneInstant = 1_000

    /// When the engine has something to do next; `nil` while it only waits for what happens.
    package var nextDeadline: WallInstant? { engine.nextDeadline }

    /// Begins to run the home step by step, instead of ``run()``: takes the present values.
    package func beginSteps(in stepped: ServedWorld) async {
        await stepped.beginToWatch(watched)
        await settle(at: await stepped.now)
    }

    /// Lets time pass in a world that is told so, from one thing that is due to the next, in the engine and in the world
    /// together.
    ///
    /// Everything happens one after the other, so that it is the same twice.
    package func advance(to target: WallInstant, in stepped: some SteppedWorld) async {
        await advance(to: target, in: stepped, ahead: .zero)
    }

    /// Lets a home that ``run()`` runs wait until ``endPass()``: what is due is done by ``pass(by:in:)`` alone.
    ///
    /// The world's clocks must stand still meanwhile.
    package func beginPass() {
        passes += 1
    }

    /// Lets it go on by itself.
    package func endPass() {
        passes -= 1
        passIsOver.signal()
    }

    /// Lets time pass at once between ``beginPass()`` and ``endPass()``.
    ///
    /// What is due meanwhile happens at its time, and in its order. A task that is cancelled ends it early.
    package func pass(by duration: Duration, in served: ServedWorld) async {
        let now = await clock.now
        let ahead = await served.now.duration(to: now)
        await advance(to: now.advanced(by: duration), in: served, ahead: ahead)
    }

    /// How long it is until the engine has something to do; `nil` while it only waits for what happens.
    package var timeToDeadline: Duration? {
        get async {
            guard let deadline = engine.nextDeadline else { return nil }
            return await clock.now.duration(to: deadline)
        }
    }

    /// - Parameter ahead: How much later the home's clock is than the world's.
    private func advance(to target: WallInstant, in stepped: some SteppedWorld, ahead: Duration) async {
        let behind = Duration.zero - ahead
        var now = await stepped.now.advanced(by: ahead)
        await settle(at: now)
        var steps = 0
        while !Task.isCancelled {
            let motion = await stepped.nextMotion?.advanced(by: ahead)
            let due = min(motion ?? .distantFuture, engine.nextDeadline ?? .distantFuture)
            guard due <= target else {
                now = target
                break
            }
            steps = due > now ? 0 : steps + 1
            now = steps < Self.maximumStepsAtOneInstant ? max(now, due) : now.advanced(by: .seconds(1))
            await stepped.advance(to: now.advanced(by: behind))
            await settle(at: now)
        }
        await stepped.advance(to: now.advanced(by: behind))
        await settle(at: now)
    }

    /// Somebody came or went; what comes of it is done when it returns.
    package func setPresence(_ isHome: Bool?, of user: ObjectID<HomeUser>, in stepped: some SteppedWorld) async {
        let now = await stepped.now
        await settle(at: now)
        await carryOutInOrder(take(engine.observed(.presence(user, isHome: isHome), at: now)), at: now)
        await settle(at: now)
    }

    /// Takes what has happened and does what comes of it, until nothing more does.
    private func settle(at now: WallInstant) async {
        for _ in 0..<Self.maximumStepsAtOneInstant {
            let requests = take(world.mailbox.take() ?? [], at: now) + take(engine.advance(to: now))
            guard !requests.isEmpty else { return }
            await carryOutInOrder(requests, at: now)
        }
    }

    /// One request after the other: side by side, what they change would be told in any order.
    private func carryOutInOrder(_ requests: [RunRequest], at now: WallInstant) async {
        for job in requests.map(job) {
            var outcomes: [[ActionResult.Outcome]] = []
            for (request, ticket) in zip(job.run.plan.requests, job.tickets) {
                outcomes.append(await write(request, ticket))
            }
            observer?.observe(.ran(job.request, job.run.results(outcomes)), in: home, at: now)
        }
    }
}
