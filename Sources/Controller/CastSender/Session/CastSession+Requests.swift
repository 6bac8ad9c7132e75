internal import AsyncPrimitives
internal import Cast
internal import HAPCore

extension CastSession {
    /// Sends a message without an answer.
    func send(_ payload: CastMessage.Payload, _ namespace: String, to destination: String) throws(CastSenderError) {
        guard link != nil else { throw .notConnected }
        let message = CastMessage(from: SenderLink.id, to: destination, namespace, payload)
        guard message.frame != nil else { throw .messageTooLong }
        link?.send(payload, namespace, to: destination)
        flush()
    }

    /// Sends a request to the receiver, and returns its answer.
    func request(_ request: ReceiverRequest) async throws(CastSenderError) -> JSONObject {
        try await self.request(request.object, CastNamespace.receiver, to: CastID.receiver, configuration.timeLimit)
    }

    /// Sends a request, and returns its answer.
    func request(
        _ object: JSONObject,
        _ namespace: String,
        to destination: String,
        _ limit: Duration
    ) async throws(CastSenderError) -> JSONObject {
        guard link != nil else { throw .notConnected }
        let message = CastMessage(from: SenderLink.id, to: destination, namespace, .object(object))
        // The number of the request is added.
        guard message.frame.map({ $0.count < CastFrameDecoder.maximumLength - 32 }) ?? false else {
            throw .messageTooLong
        }
        let answer = OneShot<Result<JSONObject, CastSenderError>>()
        guard let number = link?.request(object, namespace, to: destination) else { throw .notConnected }
        answers[number] = PendingAnswer(destination: destination, result: answer)
        flush()
        defer { answers[number] = nil }
        let result = await withTimeLimit(limit) { await answer.waitUnlessCancelled() ?? .failure(.cancelled) }
        guard let result else { throw Task.isCancelled ? .cancelled : .timedOut(limit) }
        return try result.get()
    }

    func wakeStatusWaiters() {
        let change = statusChange
        statusChange = OneShot()
        change.set(())
    }

    /// Waits until the status of the receiver has something.
    func waitForStatus<Found: Sendable>(
        _ find: (ReceiverStatus?) -> Found?
    ) async throws(CastSenderError) -> Found {
        let (limit, start) = (configuration.longTimeLimit, ContinuousClock.now)
        while true {
            guard link != nil else { throw .notConnected }
            if let found = find(link?.receiver) { return found }
            let (change, rest) = (statusChange, limit - start.duration(to: .now))
            guard rest > .zero else { throw .timedOut(limit) }
            _ = await withTimeLimit(rest) { await change.waitUnlessCancelled() }
            if Task.isCancelled { throw .cancelled }
        }
    }
}

/// A request that waits for its answer.
struct PendingAnswer {
    /// From where the answer comes.
    let destination: String
    let result: OneShot<Result<JSONObject, CastSenderError>>
}
