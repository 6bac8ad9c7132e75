package import AccessoryModel
internal import FoundationEssentials
internal import GRDB
internal import HAPCore
package import HomeModel
internal import Storage

extension HomeStateStore: HomeStore {
    package func homes() async throws(StoreError) -> StoredHomes {
        try await database.read { db in
            // A single transaction prevents changes by other processes between the queries.
            var stored = StoredHomes()
            try db.inTransaction(.deferred) {
                stored = try Self.homes(in: db)
                return .commit
            }
            return stored
        }
    }

    package func save(_ homes: Homes, replacing version: UInt64) async throws(HomeStoreError) -> UInt64 {
        let newer: StoredHomes?
        do throws(StoreError) {
            newer = try await database.write(.synced) { db -> StoredHomes? in
                let stored = try Self.version(in: db)
                guard stored == version, version < UInt64(Int64.max) else { return try Self.homes(in: db) }
                try Self.write(homes, version: version + 1, in: db)
                return nil
            }
        } catch {
            throw .store(error)
        }
        if let newer { throw .conflict(newer) }
        return version + 1
    }
}

extension HomeStateStore {
    /// Saves whether a user is home; `nil` means that it is unknown.
    ///
    /// It is on disk when the call returns.
    package func setPresence(
        _ isHome: Bool?,
        of user: ObjectID<HomeUser>,
        in home: ObjectID<Home>
    ) async throws(StoreError) {
        try await database.write(.synced) { db in
            try Self.recordPresence(isHome, of: user, in: home, db)
            guard let isHome else {
                try db.execute(
                    sql: "DELETE FROM presence WHERE home = ? AND user = ?",
                    arguments: [home.column, user.column]
                )
                return
            }
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO presence (home, user, is_home)
                    SELECT id, ?, ? FROM home WHERE id = ?
                    """,
                arguments: [user.column, isHome ? 1 : 0, home.column]
            )
        }
    }

    /// Saves whether a user is at home.
    ///
    /// - Returns: The user.
    /// - Throws: `HomeStoreError.refused` if no user has the name, or `HomeStoreError.store`.
    @discardableResult
    package func setPresence(_ isHome: Bool, ofUserNamed name: String, in home: Home) async throws(HomeStoreError)
        -> HomeUser
    {
        let (stored, user): (Home, HomeUser)
        do throws(StoreError) {
            stored = try await homes().homes.home(home.id) ?? home
        } catch {
            throw .store(error)
        }
        do throws(HomeError) { user = try stored.user(named: name) } catch { throw .refused(error) }
        do throws(StoreError) { try await setPresence(isHome, of: user.id, in: home.id) } catch { throw .store(error) }
        return user
    }

    /// Returns the changes of presence in a home after a given number, such as `StoredHomes.lastPresenceChange`, in
    /// order.
    ///
    /// The store keeps the last `PresenceChange.maximumCount` changes.
    package func presenceChanges(
        of home: ObjectID<Home>,
        after number: Int64
    ) async throws(StoreError) -> [PresenceChange] {
        try await database.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT id, user, is_home FROM presence_change WHERE home = ? AND id > ? ORDER BY id",
                arguments: [home.column, number]
            )
            var changes: [PresenceChange] = []
            while let row = try rows.next() {
                let isHome: Bool? =
                    if case .null = row.storage(2) { nil } else { try row.integer(2, of: "presence_change") != 0 }
                changes.append(
                    PresenceChange(
                        number: try row.integer(0, of: "presence_change"),
                        user: ObjectID(try row.unsigned(1, of: "presence_change")),
                        isHome: isHome
                    )
                )
            }
            return changes
        }
    }

    /// Returns the state of a home's engine, which is empty if none is stored.
    package func engineState(of home: ObjectID<Home>) async throws(StoreError) -> EngineState {
        try await database.read { db in
            let sql = "SELECT schema, body FROM memory WHERE home = ?"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [home.column]) else { return EngineState() }
            let damage = DamagedRow(table: "memory")
            try Self.check(schema: row.integer(0, of: damage.table), of: damage)
            return try Self.decode(EngineState.self, from: try row.bytes(1, of: damage.table), of: damage)
        }
    }

    /// Saves the state of a home's engine, which is on disk within a second.
    package func save(_ memory: EngineState, of home: ObjectID<Home>) async throws(StoreError) {
        try await database.write(.buffered) { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO memory (home, schema, body) SELECT id, ?, ? FROM home WHERE id = ?",
                arguments: [HomeSchema.bodySchema, try Self.encode(memory), home.column]
            )
        }
    }

    /// Appends entries to the journal, which are on disk within a second.
    ///
    /// The store keeps the last `StoredJournalEntry.maximumCount` entries.
    package func append(_ entries: [StoredJournalEntry]) async throws(StoreError) {
        guard !entries.isEmpty else { return }
        try await database.write(.buffered) { db in
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO journal (home, nanoseconds, automation, kind, text)
                    SELECT id, ?, ?, ?, ? FROM home WHERE id = ?
                    """
            )
            for entry in entries.suffix(StoredJournalEntry.maximumCount) {
                try statement.execute(
                    arguments: [
                        entry.instant.nanoseconds, entry.automation?.column, StoredText(entry.kind),
                        StoredText(entry.text), entry.home.column,
                    ]
                )
            }
            try db.execute(
                sql: """
                    DELETE FROM journal WHERE id <=
                        (SELECT id FROM journal ORDER BY id DESC LIMIT 1 OFFSET \(StoredJournalEntry.maximumCount))
                    """
            )
        }
    }

    /// Returns the last entries of a home, the oldest first.
    package func journal(
        of home: ObjectID<Home>,
        last count: Int
    ) async throws(StoreError) -> [StoredJournalEntry] {
        guard count > 0 else { return [] }
        return try await database.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT nanoseconds, automation, kind, text FROM journal WHERE home = ? ORDER BY id DESC LIMIT ?
                    """,
                arguments: [home.column, Int64(count)]
            )
            var entries: [StoredJournalEntry] = []
            while let row = try rows.next() {
                let automation: ObjectID<Automation>? =
                    if case .null = row.storage(1) { nil } else { ObjectID(try row.unsigned(1, of: "journal")) }
                entries.append(
                    StoredJournalEntry(
                        home: home,
                        instant: WallInstant(nanoseconds: try row.integer(0, of: "journal")),
                        automation: automation,
                        kind: try row.text(2, of: "journal"),
                        text: try row.text(3, of: "journal")
                    )
                )
            }
            return entries.reversed()
        }
    }

    // MARK: Rows

    private static func recordPresence(
        _ isHome: Bool?,
        of user: ObjectID<HomeUser>,
        in home: ObjectID<Home>,
        _ db: Database
    ) throws {
        try db.execute(
            sql: "INSERT INTO presence_change (home, user, is_home) SELECT id, ?, ? FROM home WHERE id = ?",
            arguments: [user.column, isHome.map { $0 ? 1 : 0 }, home.column]
        )
        try db.execute(
            sql: "DELETE FROM presence_change WHERE id <= (SELECT max(id) FROM presence_change) - ?",
            arguments: [PresenceChange.maximumCount]
        )
    }

    private static func version(in db: Database) throws -> UInt64 {
        guard let row = try Row.fetchOne(db, sql: "SELECT version FROM homes") else { return 0 }
        return try version(of: row)
    }

    /// Returns the version of the homes in a row.
    ///
    /// The maximum version counts as damage, because no save could follow it.
    private static func version(of row: Row) throws -> UInt64 {
        let version = try row.integer(0, of: "homes")
        guard 0..<Int64.max ~= version else { throw DamagedRow(table: "homes") }
        return UInt64(version)
    }

    /// Checks the schema version of a text.
    ///
    /// - Throws: `NewerRow` for a newer version, and `damage` for any other version that this program cannot read.
    private static func check(schema: Int64, of damage: DamagedRow) throws {
        if schema > HomeSchema.bodySchema { throw NewerRow() }
        guard schema == HomeSchema.bodySchema else { throw damage }
    }

    /// Returns the text of a value.
    ///
    /// Equal values have equal texts.
    private static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Decodes a text that ``encode(_:)`` wrote.
    ///
    /// Any other text counts as damage.
    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        from text: [UInt8],
        of damage: DamagedRow
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text))
        } catch {
            throw damage
        }
    }

    private static func homes(in db: Database) throws -> StoredHomes {
        let damage = DamagedRow(table: "homes")
        guard let row = try Row.fetchOne(db, sql: "SELECT version, primary_home, next_id FROM homes") else {
            return StoredHomes()
        }
        let version = try version(of: row)
        let primary: ObjectID<Home>? =
            if case .null = row.storage(1) { nil } else { ObjectID(try row.unsigned(1, of: damage.table)) }
        let nextID = try row.unsigned(2, of: damage.table)
        var present: [ObjectID<Home>: [ObjectID<HomeUser>: Bool]] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT home, user, is_home FROM presence")
        while let row = try rows.next() {
            let home = ObjectID<Home>(try row.unsigned(0, of: "presence"))
            let user = ObjectID<HomeUser>(try row.unsigned(1, of: "presence"))
            present[home, default: [:]][user] = try row.integer(2, of: "presence") != 0
        }
        var homes: [Home] = []
        let bodies = try Row.fetchCursor(db, sql: "SELECT id, schema, body FROM home ORDER BY position, id")
        let homeDamage = DamagedRow(table: "home")
        while let row = try bodies.next() {
            let id = ObjectID<Home>(try row.unsigned(0, of: "home"))
            try check(schema: row.integer(1, of: "home"), of: homeDamage)
            var home = try decode(Home.self, from: try row.bytes(2, of: "home"), of: homeDamage)
            guard home.id == id else { throw homeDamage }
            for (user, isHome) in present[id] ?? [:] {
                try? home.setPresence(isHome, of: user)
            }
            homes.append(home)
        }
        let stored = Homes(homes: homes, primary: primary, nextID: nextID)
        // The callers rely on the rules, so homes that violate them count as damaged.
        guard HomeRules.violations(in: stored).isEmpty else { throw homeDamage }
        let lastChange = try Int64.fetchOne(db, sql: "SELECT max(id) FROM presence_change") ?? 0
        return StoredHomes(stored, version: version, lastPresenceChange: lastChange)
    }

    private static func write(_ homes: Homes, version: UInt64, in db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO homes (id, version, primary_home, next_id) VALUES (1, ?, ?, ?)",
            arguments: [Int64(bitPattern: version), homes.primary?.column, Int64(bitPattern: homes.nextID)]
        )
        var gone: [Int64: Data] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT id, body FROM home")
        while let row = try rows.next() {
            gone[try row.integer(0, of: "home")] = Data(try row.bytes(1, of: "home"))
        }
        for (position, home) in homes.homes.enumerated() {
            let body = try encode(home)
            let before = gone.removeValue(forKey: home.id.column)
            try db.execute(
                sql: """
                    INSERT INTO home (id, position, schema, body) VALUES (?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET position = excluded.position
                    """,
                arguments: [home.id.column, position, HomeSchema.bodySchema, before ?? body]
            )
            if let before, before != body {
                try db.execute(
                    sql: "UPDATE home SET schema = ?, body = ? WHERE id = ?",
                    arguments: [HomeSchema.bodySchema, body, home.id.column]
                )
            }
            // A removed user has no presence. IDs are never reused, so no other user can inherit it.
            let users = home.users.map { String($0.id.column) }.joined(separator: ", ")
            try db.execute(
                sql: "DELETE FROM presence WHERE home = ? AND user NOT IN (\(users))",
                arguments: [home.id.column]
            )
        }
        for id in gone.keys.sorted() {
            try db.execute(sql: "DELETE FROM home WHERE id = ?", arguments: [id])
        }
    }
}

extension ObjectID {
    /// The ID as SQLite stores it.
    var column: Int64 {
        Int64(bitPattern: rawValue)
    }
}
