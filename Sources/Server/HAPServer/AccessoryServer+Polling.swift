internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore

/// Polls hardware that does not report its changes.
extension AccessoryServer {
    /// Starts to poll these values instead of the previous ones.
    ///
    /// A server that is stopping starts no polls.
    func startPolls(_ sources: [CharacteristicKey: PolledValue]) {
        stopPolls()
        guard lifecycle.isServing else { return }
        for key in handlerRegistry.polls.begin(sources) {
            poll(key)
        }
    }

    /// Stops polling, and ignores pending results.
    func stopPolls() {
        for poll in handlerRegistry.polls.removeAll() { poll.cancel() }
    }

    private func poll(_ key: CharacteristicKey) {
        guard let (source, round) = handlerRegistry.polls.beginRead(key) else { return }
        // Weak, because a closure that never returns would keep a stopped server in memory.
        let task = Task { [weak self] in
            let response: Result<CharacteristicValue?, any Error> = await Result(catching: source.read)
            await self?.finishPoll(response, of: key, round: round)
        }
        handlerRegistry.polls.attach(task, to: key)
    }

    private func finishPoll(
        _ response: Result<CharacteristicValue?, any Error>,
        of key: CharacteristicKey,
        round: UInt64
    ) {
        guard let isOvertaken = handlerRegistry.polls.isInvalidated(key, round: round), let id = id(of: key) else {
            return
        }
        var failure: String?
        switch response {
        case .success(let value?):
            if !isOvertaken, !handlerRegistry.calls.isWriting(id), !set(value, for: id) {
                failure = Self.invalidValueReason(value)
            }
        case .success(nil): break
        case .failure(let error): failure = String(describing: error)
        }
        if handlerRegistry.polls.recordResult(isFailing: failure != nil, of: key), let failure {
            observer?.observe(.handlerFailed(id, failure))
        }
        guard let period = handlerRegistry.polls.period(of: key) else { return }
        handlerRegistry.polls.attach(schedule(after: period) { $0.poll(key) }, to: key)
    }
}
