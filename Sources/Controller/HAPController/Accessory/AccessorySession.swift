internal import AccessoryModel
internal import HAPCore

/// One session with an accessory, and the requests that are made in it.
struct AccessorySession: Sendable {
    /// The number of the session, unique among the sessions with the accessory and counted from 1.
    let number: UInt64
    let connection: AccessoryConnection
    /// The timeout for an ordinary request.
    let requestTime: Duration

    /// Sends a request, and returns its response.
    ///
    /// Ends the session if the accessory does not know it; it has then not executed the request.
    ///
    /// - Parameter timeout: The timeout; `nil` uses that of ordinary requests.
    nonisolated(nonsending) func send(
        _ request: HTTPRequest,
        within timeout: Duration? = nil
    ) async throws(ControllerError) -> HTTPMessage {
        let answer = try await connection.request(request, within: timeout ?? requestTime)
        if answer.status == ControllerError.unknownSessionStatus { throw closeUnknown() }
        return answer
    }

    private func closeUnknown() -> ControllerError {
        let error = ControllerError.unknownSession(at: connection.endpoint)
        connection.close(.aborted(error.reason))
        return error
    }

    /// Ends the session because of a response that violates the protocol.
    func close(after fault: ProtocolError) -> ControllerError {
        connection.close(.protocolError(fault))
        return .malformed(fault, at: connection.endpoint)
    }

    /// Reads characteristics in one request; omits those without a result.
    nonisolated(nonsending) func read(
        _ ids: [CharacteristicID]
    ) async throws(ControllerError) -> [CharacteristicID: CharacteristicResponse.Item] {
        let request = CharacteristicReadRequest(ids.map(CharacteristicAddress.init))
        let answer = try await send(HTTPRequest(.get, .characteristics, query: request.query))
        // Success without a value is not a result, whatever the status of the response is.
        return try itemResults(of: answer, for: ids, "a read").filter { !$0.value.isSuccess || $0.value.value != nil }
    }

    /// Writes or subscribes to characteristics in one request; omits those without a result.
    ///
    /// - Parameters:
    ///   - ttl: The time to live of a timed write; `nil` for another write.
    ///   - what: The request in error messages.
    nonisolated(nonsending) func write(
        _ items: [CharacteristicWriteItem],
        timed ttl: Duration? = nil,
        _ what: String = "a write"
    ) async throws(ControllerError) -> [CharacteristicID: CharacteristicResponse.Item] {
        let answer: HTTPMessage
        if let ttl {
            answer = try await timedWrite(items, within: ttl)
        } else {
            let body = CharacteristicWriteRequest(items).body
            answer = try await send(HTTPRequest(.put, .characteristics, body: body))
        }
        return try itemResults(of: answer, for: items.compactMap(\.address.id), what)
    }

    /// Prepares a write and sends it, with no request in between, because another prepare would replace this one.
    private nonisolated(nonsending) func timedWrite(
        _ items: [CharacteristicWriteItem],
        within ttl: Duration
    ) async throws(ControllerError) -> HTTPMessage {
        let milliseconds = UInt64(clamping: ttl.clampedNanoseconds / 1_000_000)
        let prepare = PrepareRequest(
            ttl: min(max(1, milliseconds), PrepareRequest.maximumTTL),
            // Below 2⁵³, so that accessories that parse numbers as `Double` do not lose digits.
            pid: UInt64.random(in: 1..<1 << 53)
        )
        let write = CharacteristicWriteRequest(items, pid: prepare.pid)
        let responses = await connection.send(
            [
                HTTPRequest(.put, .prepare, body: prepare.body),
                HTTPRequest(.put, .characteristics, body: write.body),
            ],
            within: requestTime
        )
        var messages: [HTTPMessage] = []
        for answer in responses {
            switch answer {
            case .success(let message): messages.append(message)
            case .failure(let end):
                throw ControllerError(end, at: connection.endpoint, within: requestTime)
            }
        }
        guard let prepared = messages.first, let written = messages.last else {
            preconditionFailure("two requests have two responses")
        }
        if written.status == ControllerError.unknownSessionStatus { throw closeUnknown() }
        let refusal = prepared.hapStatus.flatMap { $0 == .success ? nil : $0 }
        // A failed prepare alone is not an error, because some accessories do not require one. The response to the
        // write decides.
        if refusal != nil || prepared.status >= 400, written.status >= 400 {
            throw .requestFailed("the announcement of a timed write", http: prepared.status, refusal)
        }
        return written
    }

    /// Returns the items of a response to a read or a write, each with a status.
    ///
    /// A status of the whole request applies to every item.
    ///
    /// HAP: §12, §13, §26
    private func itemResults(
        of answer: HTTPMessage,
        for ids: [CharacteristicID],
        _ what: String
    ) throws(ControllerError) -> [CharacteristicID: CharacteristicResponse.Item] {
        let isSuccess = 200..<300 ~= answer.status
        func items(status: Int64) -> [CharacteristicID: CharacteristicResponse.Item] {
            Dictionary(ids.map { ($0, .init(CharacteristicAddress($0), status: status)) }) { first, _ in first }
        }
        if isSuccess, answer.body.isEmpty { return items(status: 0) }
        let response: CharacteristicResponse
        do throws(ProtocolError) {
            response = try CharacteristicResponse(parsing: answer.body)
        } catch {
            guard isSuccess else { throw .requestFailed(what, http: answer.status) }
            throw close(after: error)
        }
        if let status = response.status, response.items.isEmpty, status != 0 || isSuccess {
            return items(status: status)
        }
        let statuses = response.statusesWithoutIDs
        if let first = statuses.first {
            guard statuses.count == ids.count else {
                // Which items have failed is unknown.
                return items(
                    status: statuses.allSatisfy { $0 == first } ? first : CharacteristicResult.unansweredStatus
                )
            }
            let results = zip(ids, statuses)
                .map { ($0, CharacteristicResponse.Item(CharacteristicAddress($0), status: $1)) }
            return Dictionary(results) { first, _ in first }
        }
        guard isSuccess || !response.items.isEmpty else { throw .requestFailed(what, http: answer.status) }
        var results: [CharacteristicID: CharacteristicResponse.Item] = [:]
        for var item in response.items {
            guard let id = item.address.id else { continue }
            item.status = item.status ?? (isSuccess ? 0 : CharacteristicResult.unansweredStatus)
            results[id] = item
        }
        return results
    }
}

extension HTTPMessage {
    /// The HAP status in the body that applies to the whole request; `nil` if there is none.
    var hapStatus: HAPStatus? {
        guard let answer = try? CharacteristicResponse(parsing: body), let status = answer.status else { return nil }
        return Int32(exactly: status).flatMap(HAPStatus.init)
    }
}
