internal import AccessoryModel
public import HAPCore
internal import HAPTransport

extension PairedAccessory {
    /// How long the ids in one request may be together, in bytes: some accessories have room for 8 KiB of a head.
    private static let maximumQueryBytes = 6 << 10

    /// Reads characteristics.
    ///
    /// - Returns: one result for each id, in the order asked for; what the accessory said nothing about has failed with
    ///   −70402.
    /// - Throws: ``ControllerError`` when the accessory answers nothing of it.
    public func read(_ ids: [CharacteristicID]) async throws(ControllerError) -> [CharacteristicResult] {
        guard !ids.isEmpty else { return [] }
        return try await read(ids, in: try await session())
    }

    /// The same within one session.
    func read(
        _ ids: [CharacteristicID],
        in session: AccessorySession
    ) async throws(ControllerError) -> [CharacteristicResult] {
        let known = try await formats(of: ids, in: session)
        var results: [CharacteristicID: CharacteristicResult] = [:]
        for part in Self.parts(of: ids) {
            let request = CharacteristicReadRequest(part.map(CharacteristicAddress.init))
            let answer = try await ask(HTTPRequest(.get, .characteristics, query: request.query), in: session)
            let items = try itemResults(of: answer, for: part, "a read", session)
            for id in part {
                // One without a word of it is no answer, whatever the status of the whole.
                let item = items[id].flatMap { $0.isSuccess && $0.value == nil ? nil : $0 }
                results[id] = CharacteristicResult(id, item, as: known)
            }
        }
        return ids.map { results[$0] ?? CharacteristicResult($0, nil, as: known) }
    }

    /// Writes characteristics: up to 512 in one request, more of them in several.
    ///
    /// - Parameters:
    ///   - writes: What to write, each characteristic at most once.
    ///   - timed: How long a timed write may take to arrive, 1 ms at least; without one, ten seconds where a
    ///     characteristic asks for a timed write.
    /// - Returns: one result for each write, in their order, with a value where one was asked for and sent.
    /// - Throws: ``ControllerError`` when the accessory does not answer a request: whether that was carried out is not
    ///   known then, and earlier requests of the same call were.
    public func write(
        _ writes: [CharacteristicWrite],
        timed: Duration? = nil
    ) async throws(ControllerError) -> [CharacteristicResult] {
        guard !writes.isEmpty else { return [] }
        let session = try await session()
        let known = try await formats(of: writes.map(\.id), in: session)
        let items = writes.map { CharacteristicWriteItem($0) }
        let isTimed = timed != nil || known.values.contains { $0.permissions.contains(.timedWrite) }
        var results: [CharacteristicID: CharacteristicResponse.Item] = [:]
        for start in stride(from: 0, to: items.count, by: CharacteristicWriteRequest.maximumValueCount) {
            let range = start..<min(start + CharacteristicWriteRequest.maximumValueCount, items.count)
            let part = Array(items[range])
            let answer =
                isTimed
                ? try await timedWrite(part, within: timed ?? .seconds(10), session) : try await put(part, session)
            results.merge(try itemResults(of: answer, for: writes[range].map(\.id), "a write", session)) { $1 }
        }
        return writes.map { CharacteristicResult($0.id, results[$0.id], as: known) }
    }

    /// Lets an accessory show which one it is.
    ///
    /// HAP: §18
    ///
    /// - Throws: ``ControllerError`` when there is no such accessory, or it does not do it.
    public func identify(_ aid: AccessoryID = .primary) async throws(ControllerError) {
        let services = try await accessories().first { $0.aid == aid }?.services ?? []
        let identify = services.lazy.flatMap(\.characteristics).first { $0.type == .identify }
        guard let identify else {
            throw ControllerError(
                .requestFailed(http: 404, .doesNotExist),
                reason: "\(alias) has no accessory \(aid) that can be identified.",
                remedy: "Ask for its accessories."
            )
        }
        let id = CharacteristicID(aid: aid, iid: identify.iid)
        let results = try await write([CharacteristicWrite(id, true)])
        if let failed = results.first(where: { !$0.isSuccess }) {
            throw .requestFailed("the write of Identify \(id)", http: 207, failed.status)
        }
    }

    /// Sends a write.
    func put(
        _ items: [CharacteristicWriteItem],
        _ session: AccessorySession
    ) async throws(ControllerError) -> HTTPMessage {
        try await ask(HTTPRequest(.put, .characteristics, body: CharacteristicWriteRequest(items).body), in: session)
    }

    /// Announces a write and sends it, with nothing between: another announcement would take its place.
    private func timedWrite(
        _ items: [CharacteristicWriteItem],
        within ttl: Duration,
        _ session: AccessorySession
    ) async throws(ControllerError) -> HTTPMessage {
        let milliseconds = UInt64(clamping: ttl.clampedNanoseconds / 1_000_000)
        let prepare = PrepareRequest(
            ttl: min(max(1, milliseconds), PrepareRequest.maximumTTL),
            // Below 2⁵³, where no accessory's numbers lose digits.
            pid: UInt64.random(in: 1..<1 << 53)
        )
        let write = CharacteristicWriteRequest(items, pid: prepare.pid)
        let connection = session.connection
        let answers = await connection.exchange(
            [
                HTTPRequest(.put, .prepare, body: prepare.body),
                HTTPRequest(.put, .characteristics, body: write.body),
            ],
            within: configuration.requestTime
        )
        var messages: [HTTPMessage] = []
        for answer in answers {
            switch answer {
            case .success(let message): messages.append(message)
            case .failure(let end):
                throw ControllerError(end, at: connection.place, within: configuration.requestTime)
            }
        }
        guard let prepared = messages.first, let written = messages.last else {
            preconditionFailure("two requests have two answers")
        }
        let refusal = prepared.hapStatus.flatMap { $0 == .success ? nil : $0 }
        // Where preparing has failed the write tells what became of it, and an accessory may do without.
        if refusal != nil || prepared.status >= 400, written.status >= 400 {
            throw .requestFailed("the announcement of a timed write", http: prepared.status, refusal)
        }
        return written
    }

    /// The items of an answer to a read or a write, each with a status; a status for the whole request is that of each.
    ///
    /// HAP: §12, §13, §26
    func itemResults(
        of answer: HTTPMessage,
        for ids: [CharacteristicID],
        _ what: String,
        _ session: AccessorySession
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
            throw session.end(over: error)
        }
        if let status = response.status, status != 0, response.items.isEmpty { return items(status: status) }
        guard isSuccess || !response.items.isEmpty else { throw .requestFailed(what, http: answer.status) }
        var results: [CharacteristicID: CharacteristicResponse.Item] = [:]
        for var item in response.items {
            guard let id = item.address.id else { continue }
            item.status = item.status ?? (isSuccess ? 0 : CharacteristicResult.unanswered)
            results[id] = item
        }
        return results
    }

    /// The ids without repetition, in as few requests as have room for them.
    private static func parts(of ids: [CharacteristicID]) -> [[CharacteristicID]] {
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
