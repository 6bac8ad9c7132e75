internal import AsyncPrimitives
package import HomeModel

extension HomeRunner {
    /// The maximum number of steps at the same instant.
    ///
    /// After that, the time advances to prevent an endless loop.
    private static let maximumStepsAtOneInstant = 1_000

    /// The next deadline of the engine, or `nil` if it only waits for changes.
    package var nextDeadline: WallInstant? { engine.nextDeadline }

    /// Prepares to run the home step by step instead of with ``run()``, and processes the current values.
    package func beginStepping(in stepped: some SteppedHomeBackend) async {
        await stepped.startObserving(observedReferences)
        await processChanges(at: await stepped.now)
    }

    /// Advances the time of the engine and of a stepped backend together, from one due event to the next.
    ///
    /// All events are processed in sequence, so that each run has the same result.
    package func advance(to target: WallInstant, in stepped: some SteppedHomeBackend) async {
        await advance(to: target, in: stepped, ahead: .zero)
    }

    /// Pauses a home that is running in ``run()``, until ``endManualTime()`` is called.
    ///
    /// Meanwhile, only ``advance(by:in:)`` processes due events.
    ///
    /// The clocks of the backend must be paused during this time.
    package func beginManualTime() {
        manualTimeCount += 1
    }

    /// Lets the home run by itself again.
    package func endManualTime() {
        manualTimeCount -= 1
        manualTimeEnded.signal()
    }

    /// Advances the time between ``beginManualTime()`` and ``endManualTime()``.
    ///
    /// Events that are due during this time are processed in order, each at its time. Canceling the task ends the
    /// advance early.
    package func advance(by duration: Duration, in served: some SteppedHomeBackend) async {
        let now = await clock.now
        let ahead = await served.now.duration(to: now)
        await advance(to: now.advanced(by: duration), in: served, ahead: ahead)
    }

    /// The time until the next deadline of the engine, or `nil` if it only waits for changes.
    package var timeUntilDeadline: Duration? {
        get async {
            guard let deadline = engine.nextDeadline else { return nil }
            return await clock.now.duration(to: deadline)
        }
    }

    /// Advances the time.
    ///
    /// - Parameters:
    ///   - target: The time of the home's clock at the end.
    ///   - stepped: The backend.
    ///   - ahead: The difference by which the home's clock is ahead of the backend's clock.
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

    /// Sets whether a user is at home, and executes the consequences before it returns.
    package func setPresence(_ isHome: Bool?, of user: ObjectID<HomeUser>, in stepped: some SteppedHomeBackend) async {
        let now = await stepped.now
        await processChanges(at: now)
        let before = engine.home
        let requests = handle(engine.observe(.presence(user, isHome: isHome), at: now))
        reportEdit(of: before, at: now)
        await executeInOrder(requests, at: now)
        await processChanges(at: now)
    }

    /// Processes changes and executes the resulting requests, until there are no more of them.
    private func processChanges(at now: WallInstant) async {
        for _ in 0..<Self.maximumStepsAtOneInstant {
            let requests = handle(backend.mailbox.dequeue() ?? [], at: now) + handle(engine.advance(to: now))
            guard !requests.isEmpty else { return }
            await executeInOrder(requests, at: now)
        }
    }

    /// Executes the requests one after the other.
    ///
    /// If they ran concurrently, the order of their changes would vary.
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
