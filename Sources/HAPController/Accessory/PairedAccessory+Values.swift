internal import AccessoryModel
internal import AsyncPrimitives
public import HAPCore

extension PairedAccessory {
    /// Returns the accessories of the server with all services and characteristics.
    ///
    /// Opens a session. Accessories from the store or from an earlier session are returned if the accessory announces
    /// the configuration number with which they were read. The first announcement is awaited for up to
    /// ``ControllerConfiguration/firstAnnouncementTime`` after the first session was opened. Without an announcement
    /// they are read once per session, because they may have changed between two sessions. They are read again if the
    /// number changes within a session.
    ///
    /// - Parameter refreshing: Whether to read them from the server in any case, for the current values.
    /// - Throws: ``ControllerError``.
    public func accessories(refreshing: Bool = false) async throws(ControllerError) -> [RemoteAccessory] {
        try await accessories(refreshing: refreshing, in: try await session())
    }

    /// Reads characteristics.
    ///
    /// - Returns: One result for each id, in the given order; an id without a result fails with −70402.
    /// - Throws: ``ControllerError`` if the accessory does not answer.
    public func read(_ ids: [CharacteristicID]) async throws(ControllerError) -> [CharacteristicResult] {
        guard !ids.isEmpty else { return [] }
        let session = try await session()
        return try await session.read(ids, as: characteristics(of: ids, in: session))
    }

    /// Writes characteristics: up to 512 in one request, more of them in several.
    ///
    /// - Parameters:
    ///   - writes: The writes, each characteristic at most once.
    ///   - timed: The time to live of a timed write, at least 1 ms; without one, ten seconds if a characteristic
    ///     requires a timed write.
    /// - Returns: One result for each write, in their order, with a value if one was requested and sent.
    /// - Throws: ``ControllerError`` if the accessory does not answer a request. Whether that request was executed is
    ///   unknown then; earlier requests of the same call were executed.
    public func write(
        _ writes: [CharacteristicWrite],
        timed: Duration? = nil
    ) async throws(ControllerError) -> [CharacteristicResult] {
        guard !writes.isEmpty else { return [] }
        let session = try await session()
        return try await session.write(writes, timed: timed, as: characteristics(of: writes.map(\.id), in: session))
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
                remedy: "List its accessories with 'hap accessories'."
            )
        }
        let id = CharacteristicID(aid: aid, iid: identify.iid)
        let results = try await write([CharacteristicWrite(id, true)])
        if let failed = results.first(where: { !$0.isSuccess }) {
            throw .requestFailed("the write of Identify \(id)", http: 207, failed.status)
        }
    }

    // MARK: The database

    /// Returns the accessories of the server as they count in a session.
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
        let stored: CachedDatabase?
        do {
            stored = try await store?.database(of: pairing)
        } catch {
            throw ControllerError(error)
        }
        // This version may not understand what an earlier version has stored: then the database is read again.
        guard let stored, case .success(let accessories) = await Self.parsed(stored.body) else { return }
        database.load(accessories, configurationNumber: stored.configurationNumber)
    }

    /// Reads the database.
    @discardableResult
    func readDatabase(in session: AccessorySession) async throws(ControllerError) -> [RemoteAccessory] {
        // A number that is announced while the database is being read may be that of the next one.
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
        // Without the cache, the next session reads it again, so a failure is no reason to withhold the result.
        let cached = CachedDatabase(configurationNumber: number, body: response.body)
        try? await store?.save(cached, of: pairing)
        return accessories
    }

    /// Parses a body on another thread: a large one takes long, and the event loop serves others.
    private nonisolated static func parsed(_ body: [UInt8]) async -> Result<[RemoteAccessory], ProtocolError> {
        do throws(ProtocolError) {
            return .success(try RemoteDatabase.read(body))
        } catch {
            return .failure(error)
        }
    }
}

extension [CharacteristicID: RemoteCharacteristic] {
    /// Converts JSON to a value; without conversion if the characteristic is unknown.
    func value(from json: JSONValue, of id: CharacteristicID) -> CharacteristicValue? {
        guard let characteristic = self[id] else { return CharacteristicValue(untyped: json) }
        return characteristic.value(from: json)
    }
}
