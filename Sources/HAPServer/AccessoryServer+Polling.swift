internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// Asks hardware that does not tell its changes.
extension AccessoryServer {
    /// Begins to ask these, in place of those before.
    func startPolls(_ sources: [CharacteristicKey: PolledValue]) {
        stopPolls()
        polls = sources.mapValues { Poll($0) }
        for reference in sources.keys {
            poll(reference)
        }
    }

    /// Asks no more; what is still answered is not heard.
    func stopPolls() {
        for poll in polls.values {
            poll.task?.cancel()
            poll.timer?.cancel()
        }
        polls = [:]
        pollRound += 1
    }

    /// Takes note that a controller's write begins or ends: what the hardware says meanwhile may be from before.
    func noteWrite(to id: CharacteristicID) {
        guard !polls.isEmpty else { return }
        for reference in polls.keys where self.id(of: reference) == id {
            polls[reference]?.isOvertaken = true
        }
    }

    private func poll(_ reference: CharacteristicKey) {
        guard let source = polls[reference]?.source else { return }
        polls[reference]?.isOvertaken = false
        let round = pollRound
        // Weak: a closure that never returns would keep a server that was stopped.
        polls[reference]?.task = Task { [weak self] in
            let answer: Result<CharacteristicValue?, any Error>
            do {
                answer = .success(try await source.read())
            } catch {
                answer = .failure(error)
            }
            await self?.take(answer, of: reference, round: round)
        }
    }

    private func take(
        _ answer: Result<CharacteristicValue?, any Error>,
        of reference: CharacteristicKey,
        round: UInt64
    ) {
        guard round == pollRound, let poll = polls[reference], let id = id(of: reference) else { return }
        var failure: String?
        switch answer {
        case .success(let value?):
            let isWriting = handlerUse[HandlerKind(id: id, isWrite: true)] != nil
            if !poll.isOvertaken, !isWriting, !set(value, for: id) {
                failure = Self.foreignValue(value)
            }
        case .success(nil): break
        case .failure(let error): failure = String(describing: error)
        }
        if let failure, !poll.isFailing {
            observer?.observe(.handlerFailed(id, failure))
        }
        polls[reference]?.isFailing = failure != nil
        polls[reference]?.timer = schedule(after: poll.source.period) { $0.poll(reference) }
    }
}

/// A value that is polled, and where that stands.
///
/// Belongs to the server's actor and never leaves it.
struct Poll {
    let source: PolledValue
    /// Whether a write has begun or ended since the last question, so that its answer may be an old one.
    var isOvertaken = false
    /// Whether the last answer was an error: the first of a row is told.
    var isFailing = false
    var task: Task<Void, Never>?
    var timer: Scheduled<Void>?

    init(_ source: PolledValue) {
        self.source = source
    }
}
