internal import AccessoryModel
internal import AsyncPrimitives
public import HAPCore

extension PairedAccessory {
    /// The accessories of the server with everything in them.
    ///
    /// Opens a session, and takes them from the store or from an earlier session when the accessory announces the
    /// configuration number with which they were read: its announcement is waited for, up to
    /// ``ControllerConfiguration/firstAnnouncementTime`` from the moment in which the first session was opened. Where it is
    /// not heard they are read, once a session, since what has happened between two sessions nobody knows. A number that
    /// changes within a session has them read again.
    ///
    /// - Parameter refreshing: Whether to read it from the server in any case, for the present values.
    /// - Throws: ``ControllerError``.
    public func accessories(refreshing: Bool = false) async throws(ControllerError) -> [RemoteAccessory] {
        try await accessories(refreshing: refreshing, in: try await session())
    }

    /// Reads characteristics.
    ///
    /// - Returns: one result for each id, in the order asked for; what the accessory said nothing about has failed with
    ///   −70402.
    /// - Throws: ``ControllerError`` when the accessory answers nothing of it.
    public func read(_ ids: [CharacteristicID]) async throws(ControllerError) -> [CharacteristicResult] {
        guard !ids.isEmpty else { return [] }
        let session = try await session()
        return try await session.read(ids, as: characteristics(of: ids, in: session))
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
        return try await session.write(writes, timed: timed, as: characteristics(of: writes.map(\.id), in: session))
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

    /// How the values of characteristics are typed in a session; those that do not exist are left out.
    func characteristics(
        of ids: some Sequence<CharacteristicID>,
        in session: AccessorySession
    ) async throws(ControllerError) -> [CharacteristicID: RemoteCharacteristic] {
        let found = try await accessories(in: session).characteristics(ids)
        guard found.count < Set(ids).count, !database.wasRead(inSession: session.number) else { return found }
        return try await readDatabase(in: session).characteristics(ids)
    }

    /// Takes the database from the store.
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
        // Without it the next session asks again: no reason to withhold what was read.
        let cached = CachedDatabase(configurationNumber: number, body: response.body)
        try? await store?.save(cached, of: pairing)
        return accessories
    }

    /// Reads a body, elsewhere: a large one takes long, and the event loop has others to serve.
    private nonisolated static func parsed(_ body: [UInt8]) async -> Result<[RemoteAccessory], ProtocolError> {
        do throws(ProtocolError) {
            return .success(try RemoteDatabase.read(body))
        } catch {
            return .failure(error)
        }
    }
}

extension [CharacteristicID: RemoteCharacteristic] {
    /// The value that JSON stands for; as it came where the characteristic is not known.
    func value(from json: JSONValue, of id: CharacteristicID) -> CharacteristicValue? {
        guard let characteristic = self[id] else { return CharacteristicValue(untyped: json) }
        return characteristic.value(from: json)
    }
}
