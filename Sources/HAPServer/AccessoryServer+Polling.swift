internal import AccessoryModel
internal import HAPCore

/// Asks hardware that does not report its changes.
extension AccessoryServer {
    /// Begins to ask for these values, in place of those before; a server that stops asks for none.
    func startPolls(_ sources: [CharacteristicKey: PolledValue]) {
        stopPolls()
        guard lifecycle.isServing else { return }
        for key in program.polls.begin(sources) {
            poll(key)
        }
    }

    /// Asks no more, and ignores what is still answered.
    func stopPolls() {
        for poll in program.polls.takeAll() { poll.cancel() }
    }

    private func poll(_ key: CharacteristicKey) {
        guard let (source, round) = program.polls.ask(key) else { return }
        // Weak: a closure that never returns would keep a server that was stopped.
        let task = Task { [weak self] in
            let answer: Result<CharacteristicValue?, any Error>
            do {
                answer = .success(try await source.read())
            } catch {
                answer = .failure(error)
            }
            await self?.take(answer, of: key, round: round)
        }
        program.polls.attach(task, to: key)
    }

    private func take(_ answer: Result<CharacteristicValue?, any Error>, of key: CharacteristicKey, round: UInt64) {
        guard let isOvertaken = program.polls.isOvertaken(key, round: round), let id = id(of: key) else { return }
        var failure: String?
        switch answer {
        case .success(let value?):
            if !isOvertaken, !program.calls.isWriting(id), !set(value, for: id) {
                failure = Self.foreignValue(value)
            }
        case .success(nil): break
        case .failure(let error): failure = String(describing: error)
        }
        if program.polls.note(isFailing: failure != nil, of: key), let failure {
            observer?.observe(.handlerFailed(id, failure))
        }
        guard let period = program.polls.period(of: key) else { return }
        program.polls.attach(schedule(after: period) { $0.poll(key) }, to: key)
    }
}
