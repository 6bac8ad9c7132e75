internal import AccessoryModel
internal import HAPCore
internal import HAPTransport

/// One session with an accessory, and the requests that are made in it.
struct AccessorySession: Sendable {
    /// The number of the session, unique among the sessions with the accessory and counted from 1.
    let number: UInt64
    let connection: AccessoryConnection
    /// The timeout for an ordinary request.
    let requestTime: Duration

    /// The maximum size of the ids in one request, in bytes: some accessories accept a head of only 8 KiB.
    private static let maximumQueryBytes = 6 << 10

    /// Sends a request, and returns its response.
    ///
    /// - Parameter timeout: The timeout; `nil` uses that of ordinary requests.
    nonisolated(nonsending) func send(
        _ request: HTTPRequest,
        within timeout: Duration? = nil
    ) async throws(ControllerError) -> HTTPMessage {
        try await connection.request(request, within: timeout ?? requestTime)
    }

    /// Ends the session because of a response that violates the protocol.
    func close(after fault: ProtocolError) -> ControllerError {
        connection.close(.protocolError(fault))
        return .malformed(fault, at: connection.endpoint)
    }

    /// Reads characteristics; returns one result for each id, in the same order.
    ///
    /// - Parameter known: The known formats of the values.
    nonisolated(nonsending) func read(
        _ ids: [CharacteristicID],
        as known: [CharacteristicID: RemoteCharacteristic]
    ) async throws(ControllerError) -> [CharacteristicResult] {
        var results: [CharacteristicID: CharacteristicResult] = [:]
        for part in Self.chunks(of: ids) {
            let request = CharacteristicReadRequest(part.map(CharacteristicAddress.init))
            let answer = try await send(HTTPRequest(.get, .characteristics, query: request.query))
            let items = try itemResults(of: answer, for: part, "a read")
            for id in part {
                // Success without a value is not a result, whatever the status of the response is.
                let item = items[id].flatMap { $0.isSuccess && $0.value == nil ? nil : $0 }
                results[id] = CharacteristicResult(id, item, as: known)
            }
        }
        return ids.map { results[$0] ?? CharacteristicResult($0, nil, as: known) }
    }

    /// Writes characteristics; returns one result for each write, in the same order.
    ///
    /// - Parameters:
    ///   - timed: The time to live of a timed write; `nil` uses ten seconds if a characteristic requires a timed write.
    ///   - known: The metadata of the characteristics.
    nonisolated(nonsending) func write(
        _ writes: [CharacteristicWrite],
        timed: Duration?,
        as known: [CharacteristicID: RemoteCharacteristic]
    ) async throws(ControllerError) -> [CharacteristicResult] {
        let items = writes.map { CharacteristicWriteItem($0) }
        let isTimed = timed != nil || known.values.contains { $0.permissions.contains(.timedWrite) }
        var results: [CharacteristicID: CharacteristicResponse.Item] = [:]
        for start in stride(from: 0, to: items.count, by: CharacteristicWriteRequest.maximumValueCount) {
            let range = start..<min(start + CharacteristicWriteRequest.maximumValueCount, items.count)
            let part = Array(items[range])
            let answer = isTimed ? try await timedWrite(part, within: timed ?? .seconds(10)) : try await sendWrite(part)
            results.merge(try itemResults(of: answer, for: writes[range].map(\.id), "a write")) { $1 }
        }
        return writes.map { CharacteristicResult($0.id, results[$0.id], as: known) }
    }

    /// Subscribes to characteristics; returns the status code of each one that the accessory refuses.
    nonisolated(nonsending) func subscribe(
        to ids: [CharacteristicID]
    ) async throws(ControllerError) -> [CharacteristicID: Int64] {
        let answer = try await sendWrite(ids.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: true) })
        let results = try itemResults(of: answer, for: ids, "a subscription")
        return ids.reduce(into: [:]) { refused, id in
            if let code = results[id]?.status, code != 0 {
                refused[id] = code
            }
        }
    }

    /// Unsubscribes from characteristics, and ignores the response.
    nonisolated(nonsending) func unsubscribe(from ids: [CharacteristicID]) async throws(ControllerError) {
        _ = try await sendWrite(ids.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: false) })
    }

    /// Sends a write.
    private nonisolated(nonsending) func sendWrite(
        _ items: [CharacteristicWriteItem]
    ) async throws(ControllerError) -> HTTPMessage {
        try await send(HTTPRequest(.put, .characteristics, body: CharacteristicWriteRequest(items).body))
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
        if let status = response.status, status != 0, response.items.isEmpty { return items(status: status) }
        guard isSuccess || !response.items.isEmpty else { throw .requestFailed(what, http: answer.status) }
        var results: [CharacteristicID: CharacteristicResponse.Item] = [:]
        for var item in response.items {
            guard let id = item.address.id else { continue }
            item.status = item.status ?? (isSuccess ? 0 : CharacteristicResult.unansweredStatus)
            results[id] = item
        }
        return results
    }

    /// Returns the ids without duplicates, split into as few requests as possible.
    private static func chunks(of ids: [CharacteristicID]) -> [[CharacteristicID]] {
        var seen: Set<CharacteristicID> = []
        var parts: [[CharacteristicID]] = []
        var part: [CharacteristicID] = []
        var bytes = 0
        for id in ids where seen.insert(id).inserted {
            let size = id.description.utf8.count + 1
            if bytes + size > maximumQueryBytes {
                parts.append(part)
                part = []
                bytes = 0
            }
            part.append(id)
            bytes += size
        }
        return part.isEmpty ? parts : parts + [part]
    }
}

extension HTTPMessage {
    /// The HAP status in the body that applies to the whole request; `nil` if there is none.
    var hapStatus: HAPStatus? {
        guard let answer = try? CharacteristicResponse(parsing: body), let status = answer.status else { return nil }
        return Int32(exactly: status).flatMap(HAPStatus.init)
    }
}
