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

    /// Writes characteristics, up to 512 of them in one request.
    ///
    /// - Parameters:
    ///   - writes: The writes, each characteristic at most once.
    ///   - timed: The time to live of a timed write, at least 1 ms; `nil` uses ten seconds if a characteristic requires
    ///     a timed write.
    /// - Returns: One result for each write, in the same order, with a value if one was requested and the accessory
    ///   sent it.
    /// - Throws: ``ControllerError`` if the accessory does not answer a request. It is then unknown whether that
    ///   request was executed; earlier requests of the same call were executed.
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
        let stored: CachedDatabase?
        do {
            stored = try await store?.database(of: pairing)
        } catch {
            throw ControllerError(error)
        }
        // If this version cannot parse what an earlier version has stored, the database is read again.
        guard let stored, case .success(let accessories) = await Self.parsed(stored.body) else { return }
        database.load(accessories, configurationNumber: stored.configurationNumber)
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

extension [CharacteristicID: RemoteCharacteristic] {
    /// Converts JSON to a value of the characteristic's format; if the characteristic is unknown, the format follows
    /// from the JSON.
    func value(from json: JSONValue, of id: CharacteristicID) -> CharacteristicValue? {
        guard let characteristic = self[id] else { return CharacteristicValue(untyped: json) }
        return characteristic.value(from: json)
    }
}
