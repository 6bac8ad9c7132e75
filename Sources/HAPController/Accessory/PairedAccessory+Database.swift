internal import AccessoryModel
internal import HAPCore

extension PairedAccessory {
    /// The accessories of the server with everything in them.
    ///
    /// Read from the server once a session, or taken from the store as long as the announced configuration number is the
    /// one that it was kept with.
    ///
    /// - Parameter refreshing: Whether to read it from the server in any case, for the present values.
    /// - Throws: ``ControllerError``.
    public func accessories(refreshing: Bool = false) async throws(ControllerError) -> [RemoteAccessory] {
        if !refreshing, let known = try await knownDatabase() {
            return known
        }
        return try await readDatabase()
    }

    /// How the values of a characteristic are typed, as far as it is known without asking the accessory more than once.
    func formats(
        of ids: some Sequence<CharacteristicID>
    ) async throws(ControllerError) -> [CharacteristicID: RemoteCharacteristic] {
        var known = try await anyDatabase()
        var found = known.characteristics(ids)
        if found.count < Set(ids).count, database?.session != sessionNumber || sessionNumber == 0 {
            known = try await accessories(refreshing: true)
            found = known.characteristics(ids)
        }
        return found
    }

    /// The database if it need not be read now.
    private func knownDatabase() async throws(ControllerError) -> [RemoteAccessory]? {
        if let database {
            if database.session == sessionNumber, sessionNumber != 0 { return database.accessories }
            if let number = database.configurationNumber, number == configurationNumber { return database.accessories }
            return nil
        }
        guard let kept = try await keptDatabase(), let number = kept.configurationNumber,
            number == configurationNumber
        else { return nil }
        return kept.accessories
    }

    /// A database of any age: what its characteristics are changes seldom.
    private func anyDatabase() async throws(ControllerError) -> [RemoteAccessory] {
        if let database { return database.accessories }
        if let kept = try await keptDatabase() {
            if database == nil {
                database = kept
            }
            return kept.accessories
        }
        return try await readDatabase()
    }

    private func keptDatabase() async throws(ControllerError) -> ReadDatabase? {
        do {
            guard let kept = try await store.database(of: pairing) else { return nil }
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

    private func readDatabase() async throws(ControllerError) -> [RemoteAccessory] {
        let answer = try await ask(HTTPRequest(.get, .accessories), within: configuration.databaseTime)
        guard answer.status == 200 else {
            throw .requestFailed("the request for its database", http: answer.status, answer.hapStatus)
        }
        let session = sessionNumber
        let accessories: [RemoteAccessory]
        switch await Self.parsed(answer.body) {
        case .success(let read): accessories = read
        case .failure(let fault): throw end(over: fault, in: session)
        }
        let hasChanged = database.map { $0.accessories.structure != accessories.structure } ?? false
        database = ReadDatabase(
            accessories: accessories,
            session: session,
            configurationNumber: configurationNumber
        )
        if hasChanged {
            for subscriber in subscribers.values {
                subscriber.mailbox.put(.databaseChanged)
            }
        }
        // Without it the next session asks again: no reason to withhold what was read.
        let cached = CachedDatabase(configurationNumber: configurationNumber, body: answer.body)
        try? await store.save(cached, of: pairing)
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
