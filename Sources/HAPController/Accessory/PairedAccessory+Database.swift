internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore

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

    /// The same within one session.
    func accessories(
        refreshing: Bool = false,
        in session: AccessorySession
    ) async throws(ControllerError) -> [RemoteAccessory] {
        await waitForAnnouncement()
        if !refreshing, let known = try await knownDatabase(in: session) {
            return known
        }
        return try await readDatabase(in: session)
    }

    /// How the values of characteristics are typed in a session; those that do not exist are left out.
    func formats(
        of ids: some Sequence<CharacteristicID>,
        in session: AccessorySession
    ) async throws(ControllerError) -> [CharacteristicID: RemoteCharacteristic] {
        let found = try await accessories(in: session).characteristics(ids)
        guard found.count < Set(ids).count, database?.session != session.number else { return found }
        return try await readDatabase(in: session).characteristics(ids)
    }

    /// The database if it need not be read now.
    private func knownDatabase(in session: AccessorySession) async throws(ControllerError) -> [RemoteAccessory]? {
        if database == nil, configurationNumber != nil, let kept = try await keptDatabase(), database == nil {
            database = kept
        }
        guard let database else { return nil }
        guard let announced = configurationNumber, let number = database.configurationNumber else {
            return database.session == session.number ? database.accessories : nil
        }
        return number == announced ? database.accessories : nil
    }

    private func keptDatabase() async throws(ControllerError) -> ReadDatabase? {
        do {
            guard let kept = try await store?.database(of: pairing) else { return nil }
            // What an earlier version has kept may not be read by this one; it is read anew then.
            guard case .success(let accessories) = await Self.parsed(kept.body) else { return nil }
            return ReadDatabase(accessories: accessories, session: 0, configurationNumber: kept.configurationNumber)
        } catch {
            throw ControllerError(error)
        }
    }

    /// Reads a body, elsewhere: a large one takes long, and the event loop has others to serve.
    private nonisolated static func parsed(_ body: [UInt8]) async -> Result<[RemoteAccessory], ProtocolError> {
        do throws(ProtocolError) {
            return .success(try RemoteDatabase.read(body))
        } catch {
            return .failure(error)
        }
    }

    /// Reads the database.
    func readDatabase(in session: AccessorySession) async throws(ControllerError) -> [RemoteAccessory] {
        // One that is announced while it is being read may be that of the next one.
        let number = configurationNumber
        let answer = try await session.ask(HTTPRequest(.get, .accessories), within: configuration.databaseTime)
        guard answer.status == 200 else {
            throw .requestFailed("the request for its database", http: answer.status, answer.hapStatus)
        }
        let accessories: [RemoteAccessory]
        switch await Self.parsed(answer.body) {
        case .success(let read): accessories = read
        case .failure(let fault): throw session.end(over: fault)
        }
        // A later one may have been read meanwhile.
        if let database, database.session > session.number { return accessories }
        let hasChanged = database.map { $0.accessories.structure != accessories.structure } ?? false
        database = ReadDatabase(accessories: accessories, session: session.number, configurationNumber: number)
        if hasChanged {
            for subscriber in subscribers.values {
                subscriber.mailbox.send(.databaseChanged)
            }
        }
        // Without it the next session asks again: no reason to withhold what was read.
        let cached = CachedDatabase(configurationNumber: number, body: answer.body)
        try? await store?.save(cached, of: pairing)
        return accessories
    }
}

extension [CharacteristicID: RemoteCharacteristic] {
    /// The value that JSON stands for; as it came where the characteristic is not known.
    func value(from json: JSONValue, of id: CharacteristicID) -> CharacteristicValue? {
        guard let characteristic = self[id] else { return CharacteristicValue(untyped: json) }
        return characteristic.value(from: json)
    }
}

extension [RemoteAccessory] {
    /// The characteristics with these ids; those that do not exist are left out.
    func characteristics(_ ids: some Sequence<CharacteristicID>) -> [CharacteristicID: RemoteCharacteristic] {
        let wanted = Set(ids)
        var found: [CharacteristicID: RemoteCharacteristic] = [:]
        for accessory in self {
            for characteristic in accessory.services.lazy.flatMap(\.characteristics) {
                let id = CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
                if wanted.contains(id) {
                    found[id] = characteristic
                }
            }
        }
        return found
    }

    /// The accessories without their values.
    fileprivate var structure: [RemoteAccessory] {
        map { accessory in
            var accessory = accessory
            for service in accessory.services.indices {
                for characteristic in accessory.services[service].characteristics.indices {
                    accessory.services[service].characteristics[characteristic].value = nil
                }
            }
            return accessory
        }
    }
}
