internal import AccessoryModel
internal import AsyncPrimitives
public import HAPCore

extension PairedAccessory {
    /// Returns the accessories of the server with all services and characteristics.
    ///
    /// Opens a session. Returns the accessories from the store or from an earlier session if the server announces the
    /// same configuration number as when they were read. The call waits for the first announcement for up to
    /// ``ControllerConfiguration/firstAnnouncementTime`` after the first session was opened. Without an announcement,
    /// the accessories are read once per session, because they may have changed since the last one. They are read again
    /// if the configuration number changes within a session.
    ///
    /// - Parameter refreshing: Whether to always read them from the server, to get the current values.
    /// - Throws: ``ControllerError``.
    public func accessories(refreshing: Bool = false) async throws(ControllerError) -> [RemoteAccessory] {
        try await inSession { session async throws(ControllerError) in
            try await self.accessories(refreshing: refreshing, in: session)
        }
    }

    /// Reads characteristics.
    ///
    /// - Returns: One result for each id, in the given order; an id without a result fails with −70402.
    /// - Throws: ``ControllerError`` if the accessory does not answer.
    public func read(_ ids: [CharacteristicID]) async throws(ControllerError) -> [CharacteristicResult] {
        var rest = Self.unique(ids)
        var results: ItemResults = [:]
        guard !rest.isEmpty else { return [] }
        let known = try await inSession { session async throws(ControllerError) in
            let known = try await self.characteristics(of: ids, in: session)
            try await self.read(&rest, into: &results, in: session)
            return known
        }
        return ids.map { CharacteristicResult($0, results[$0], as: known) }
    }

    /// Writes characteristics, in several requests if they do not fit into one that every accessory answers.
    ///
    /// - Parameters:
    ///   - writes: The writes, each characteristic at most once.
    ///   - timed: The time to live of a timed write, at least 1 ms; `nil` uses ten seconds if a characteristic requires
    ///     a timed write.
    /// - Returns: One result for each write, in the same order, with a value if one was requested and the accessory
    ///   sent it.
    /// - Throws: ``ControllerError`` if the accessory does not answer the first request. It is then unknown whether it
    ///   was executed. If the accessory does not answer a later one, the writes from there on have the status −70408 after
    ///   a timeout, or −70402.
    public func write(
        _ writes: [CharacteristicWrite],
        timed: Duration? = nil
    ) async throws(ControllerError) -> [CharacteristicResult] {
        var rest = writes.map(CharacteristicWriteItem.init(numeric:))[...]
        var results: ItemResults = [:]
        guard !rest.isEmpty else { return [] }
        do throws(ControllerError) {
            try await inSession(repeatsAfterSilence: false) { session async throws(ControllerError) in
                let known = try await self.characteristics(of: writes.map(\.id), in: session)
                let isTimed = timed != nil || known.values.contains { $0.permissions.contains(.timedWrite) }
                let ttl = isTimed ? timed ?? .seconds(10) : nil
                try await self.perform(&rest, into: &results, in: session) {
                    RequestPart(writing: $0, isTimed: isTimed, host: $1, within: $2)
                } request: { items, session async throws(ControllerError) in
                    try await session.write(items, timed: ttl)
                }
            }
        } catch {
            guard rest.count < writes.count else { throw error }
            // The first requests were executed, which the caller must know.
            let status: HAPStatus = error.code == .timedOut ? .timedOut : .unableToPerform
            for id in rest.compactMap(\.address.id) {
                results[id] = CharacteristicResponse.Item(CharacteristicAddress(id), status: Int64(status.rawValue))
            }
        }
        let known = database.characteristics(writes.map(\.id))
        return writes.map { CharacteristicResult($0.id, results[$0.id], as: known) }
    }

    /// Makes an accessory identify itself.
    ///
    /// HAP: §18
    ///
    /// - Throws: ``ControllerError`` if there is no such accessory, or it refuses.
    public func identify(_ aid: AccessoryID = .primary) async throws(ControllerError) {
        let services = try await accessories().first { $0.aid == aid }?.services ?? []
        let identify = services.lazy.flatMap(\.characteristics).first { $0.type == .identify }
        guard let identify else {
            throw ControllerError(
                .requestFailed(http: 404, .doesNotExist),
                reason: "\(alias) has no accessory \(aid) that can be identified.",
                remedy: "Check the id."
            )
        }
        let id = CharacteristicID(aid: aid, iid: identify.iid)
        let results = try await write([CharacteristicWrite(id, true)])
        if let failed = results.first(where: { !$0.isSuccess }) {
            throw .requestFailed("the write of Identify \(id)", http: 207, failed.status)
        }
    }

    // MARK: Requests

    /// Runs requests in the session; again in another one if the accessory does not know the first, or if the requests
    /// will be smaller.
    ///
    /// - Parameter repeatsAfterSilence: Whether a request without a response is sent again. It may have been executed.
    func inSession<Result: Sendable>(
        repeatsAfterSilence: Bool = true,
        _ requests: nonisolated(nonsending) (AccessorySession) async throws(ControllerError) -> Result
    ) async throws(ControllerError) -> Result {
        var isSecondSession = false
        while true {
            let maximumByteCount = requestLimits.byteCount
            let session = try await session()
            do throws(ControllerError) {
                return try await requests(session)
            } catch {
                switch error.code {
                // Some devices close the connection after they have found a request too large.
                case .timedOut, .connectionLost:
                    guard repeatsAfterSilence, requestLimits.byteCount < maximumByteCount else { throw error }
                case _ where error.meansUnknownSession && !isSecondSession: isSecondSession = true
                default: throw error
                }
            }
        }
    }

    /// Returns ids without duplicates, in the same order.
    private static func unique(_ ids: [CharacteristicID]) -> ArraySlice<CharacteristicID> {
        var seen: Set<CharacteristicID> = []
        return ids.filter { seen.insert($0).inserted }[...]
    }

    /// Reads characteristics in a session, and removes those that were read from `rest`.
    func read(
        _ rest: inout ArraySlice<CharacteristicID>,
        into results: inout ItemResults,
        in session: AccessorySession
    ) async throws(ControllerError) {
        try await perform(&rest, into: &results, in: session, isRead: true) {
            RequestPart(reading: $0, host: $1, within: $2)
        } request: { ids, session async throws(ControllerError) in
            try await session.read(ids)
        }
    }

    /// Subscribes to characteristics in a session, and removes those that were answered from `rest`.
    func subscribe(
        to rest: inout ArraySlice<CharacteristicWriteItem>,
        into results: inout ItemResults,
        in session: AccessorySession
    ) async throws(ControllerError) {
        try await perform(&rest, into: &results, in: session) {
            RequestPart(subscribing: $0, host: $1, within: $2)
        } request: { items, session async throws(ControllerError) in
            try await session.write(items, "a subscription")
        }
    }

    /// Sends items in as many requests as the accessory needs, and removes those that were answered from `rest`.
    ///
    /// If the accessory finds a request too large, or refuses all of its items for lack of resources, they are sent
    /// again in smaller requests. After a request without an answer, the next requests are smaller.
    ///
    /// - Parameter nextPart: Measures the first items of a list that fit into one request to a host.
    private func perform<Item: Sendable>(
        _ rest: inout ArraySlice<Item>,
        into results: inout ItemResults,
        in session: AccessorySession,
        isRead: Bool = false,
        nextPart: (ArraySlice<Item>, _ host: String, RequestLimits) -> RequestPart,
        request: nonisolated(nonsending) ([Item], AccessorySession) async throws(ControllerError) -> ItemResults
    ) async throws(ControllerError) {
        let host = session.connection.endpoint.hostHeader
        while !rest.isEmpty {
            let part = nextPart(rest, host, requestLimits)
            do throws(ControllerError) {
                let answer = try await request(Array(rest.prefix(part.itemCount)), session)
                let isRefused = !answer.isEmpty && answer.values.allSatisfy { $0.status == Self.outOfResources }
                if isRefused {
                    let isSmaller = isRead ? requestLimits.readWasRefused(part) : requestLimits.requestFailed(part)
                    if isSmaller { continue }
                } else {
                    requestLimits.didAnswer(part)
                }
                results.merge(answer) { $1 }
                rest = rest.dropFirst(part.itemCount)
            } catch {
                switch error.code {
                case .requestFailed(http: 413...414, _) where requestLimits.requestFailed(part): continue
                case .timedOut: _ = requestLimits.requestFailed(part)
                default: break
                }
                throw error
            }
        }
    }

    /// The items of responses by their ids.
    typealias ItemResults = [CharacteristicID: CharacteristicResponse.Item]

    private static let outOfResources = Int64(HAPStatus.outOfResources.rawValue)

    // MARK: The database

    /// Returns the accessories of the server that are valid in a session.
    func accessories(
        refreshing: Bool = false,
        in session: AccessorySession
    ) async throws(ControllerError) -> [RemoteAccessory] {
        await announcements.pendingFirstAnnouncement?.wait()
        if !refreshing {
            if database.isEmpty, announcements.configurationNumber != nil {
                try await loadCachedDatabase()
            }
            let announced = announcements.configurationNumber
            if let known = database.accessories(inSession: session.number, announced: announced) { return known }
        }
        return try await readDatabase(in: session)
    }

    /// Returns the metadata of characteristics; unknown ids are omitted.
    func characteristics(
        of ids: some Sequence<CharacteristicID>,
        in session: AccessorySession
    ) async throws(ControllerError) -> [CharacteristicID: RemoteCharacteristic] {
        let found = try await accessories(in: session).characteristics(ids)
        guard found.count < Set(ids).count, !database.wasRead(inSession: session.number) else { return found }
        return try await readDatabase(in: session).characteristics(ids)
    }

    /// Loads the cached database from the store.
    private func loadCachedDatabase() async throws(ControllerError) {
        guard let (accessories, number) = try await storedDatabase() else { return }
        database.load(accessories, configurationNumber: number)
    }

    /// Returns the accessories as they were last read, without a session; none if they are not stored.
    package func storedAccessories() async -> [RemoteAccessory] {
        (try? await storedDatabase())?.accessories ?? []
    }

    private func storedDatabase() async throws(ControllerError) -> (
        accessories: [RemoteAccessory], configurationNumber: UInt64?
    )? {
        let stored: CachedDatabase?
        do {
            stored = try await store?.database(of: pairing)
        } catch {
            throw ControllerError(error)
        }
        // If this version cannot parse what an earlier version has stored, the database is read again.
        guard let stored, case .success(let accessories) = await Self.parsed(stored.body) else { return nil }
        return (accessories, stored.configurationNumber)
    }

    /// Reads the database.
    @discardableResult
    func readDatabase(in session: AccessorySession) async throws(ControllerError) -> [RemoteAccessory] {
        // A number that is announced while the database is being read may belong to the next database.
        let number = announcements.configurationNumber
        let response = try await session.send(HTTPRequest(.get, .accessories), within: configuration.databaseTime)
        guard response.status == 200 else {
            throw .requestFailed("the request for its database", http: response.status, response.hapStatus)
        }
        let accessories: [RemoteAccessory]
        switch await Self.parsed(response.body) {
        case .success(let read): accessories = read
        case .failure(let fault): throw session.close(after: fault)
        }
        switch database.update(accessories, inSession: session.number, configurationNumber: number) {
        case .outdated: return accessories
        case .unchanged: break
        case .changed: subscribers.notifyDatabaseChange()
        }
        // A failure to save is ignored, because the next session then only reads the database again.
        let cached = CachedDatabase(configurationNumber: number, body: response.body)
        try? await store?.save(cached, of: pairing)
        return accessories
    }

    /// Parses a body on another thread, because a large one would block the event loop.
    private nonisolated static func parsed(_ body: [UInt8]) async -> Result<[RemoteAccessory], ProtocolError> {
        do throws(ProtocolError) {
            return .success(try RemoteDatabase.read(body))
        } catch {
            return .failure(error)
        }
    }
}

extension CharacteristicWriteItem {
    /// Creates the item of a write, with 1 and 0 for true and false.
    ///
    /// Both forms are valid. iOS sends numbers, and an Ecobee Switch+ ignores `true`.
    fileprivate init(numeric write: CharacteristicWrite) {
        self.init(write)
        if case .bool(let flag) = value {
            value = .number(flag ? 1 : 0)
        }
    }
}

extension [CharacteristicID: RemoteCharacteristic] {
    /// Converts JSON to a value of the characteristic's format; if the characteristic is unknown, the format follows
    /// from the JSON.
    func value(from json: JSONValue, of id: CharacteristicID) -> CharacteristicValue? {
        guard let characteristic = self[id] else { return CharacteristicValue(untyped: json) }
        return characteristic.value(from: json)
    }
}
