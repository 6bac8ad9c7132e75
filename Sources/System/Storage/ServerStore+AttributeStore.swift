public import AccessoryModel
internal import FoundationEssentials
internal import GRDB
public import HAPCore

extension ServerStore: AttributeStore {
    /// Returns all saved attributes; an empty record before the first start.
    public func attributes() async throws(StoreError) -> AttributeRecord {
        let key = StoredText(key)
        return try await database.read { db in
            guard let server = try Self.existingRow(of: key, in: db) else { return AttributeRecord() }
            return AttributeRecord(
                identifiers: try Self.identifiers(of: server, in: db),
                configuration: try Self.configuration(of: server, in: db) ?? ConfigurationRecord(),
                values: try Self.values(of: server, in: db)
            )
        }
    }

    /// Saves ids and configuration number together; returns when they are on disk.
    ///
    /// Unchanged records are not written again.
    public func save(
        _ identifiers: IdentifierMap,
        _ configuration: ConfigurationRecord
    ) async throws(StoreError) {
        let key = StoredText(key)
        try await database.write(.synced) { db in
            let server = try Self.row(of: key, in: db)
            if try Self.identifiers(of: server, in: db) != identifiers {
                try Self.replaceIdentifiers(with: identifiers, of: server, in: db)
            }
            if try Self.configuration(of: server, in: db) != configuration {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO configuration (server, number, digest) VALUES (?, ?, ?)",
                    arguments: [server, Int64(configuration.number), Data(configuration.digest)]
                )
            }
        }
    }

    /// Saves values, replacing those of the same characteristics.
    ///
    /// The values are passed to the system when the call returns, but are not necessarily on disk. Numbers that are not
    /// finite are not saved, because no characteristic can have them.
    public nonisolated(nonsending) func save(_ values: [CharacteristicID: CharacteristicValue]) async throws(StoreError)
    {
        guard !values.isEmpty else { return }
        let key = StoredText(key)
        try await database.write(.buffered) { db in
            let server = try Self.row(of: key, in: db)
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO value (server, aid, iid, kind, value) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET kind = excluded.kind, value = excluded.value
                    """
            )
            for (id, value) in values {
                guard let stored = StoredValue(value) else { continue }
                let aid = Int64(bitPattern: id.aid.rawValue)
                let iid = Int64(bitPattern: id.iid.rawValue)
                try statement.execute(arguments: [server, aid, iid, stored.kind.rawValue, stored.content])
            }
        }
    }

    private static func identifiers(of server: Int64, in db: Database) throws -> IdentifierMap {
        var map = IdentifierMap()
        let accessories = try Row.fetchCursor(
            db,
            sql: "SELECT accessory_key, aid FROM accessory WHERE server = ?",
            arguments: [server]
        )
        while let row = try accessories.next() {
            guard let aid = AccessoryID(try row.unsigned(1, of: "accessory")) else {
                throw DamagedRow(table: "accessory")
            }
            map.record(aid, forAccessory: try row.text(0, of: "accessory"))
        }
        let objects = try Row.fetchCursor(
            db,
            sql: "SELECT aid, path, iid FROM object WHERE server = ?",
            arguments: [server]
        )
        while let row = try objects.next() {
            guard let aid = AccessoryID(try row.unsigned(0, of: "object")),
                let iid = InstanceID(try row.unsigned(2, of: "object"))
            else { throw DamagedRow(table: "object") }
            map.record(iid, forObject: try row.text(1, of: "object"), in: aid)
        }
        return map
    }

    private static func replaceIdentifiers(with map: IdentifierMap, of server: Int64, in db: Database) throws {
        try db.execute(sql: "DELETE FROM accessory WHERE server = ?", arguments: [server])
        try db.execute(sql: "DELETE FROM object WHERE server = ?", arguments: [server])
        let accessory = try db.makeStatement(
            sql: "INSERT INTO accessory (server, accessory_key, aid) VALUES (?, ?, ?)"
        )
        for (key, aid) in map.accessories {
            try accessory.execute(arguments: [server, StoredText(key), Int64(bitPattern: aid.rawValue)])
        }
        let object = try db.makeStatement(sql: "INSERT INTO object (server, aid, path, iid) VALUES (?, ?, ?, ?)")
        for (aid, objects) in map.objects {
            let aid = Int64(bitPattern: aid.rawValue)
            for (path, iid) in objects {
                try object.execute(arguments: [server, aid, StoredText(path), Int64(bitPattern: iid.rawValue)])
            }
        }
    }

    private static func configuration(of server: Int64, in db: Database) throws -> ConfigurationRecord? {
        let sql = "SELECT number, digest FROM configuration WHERE server = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [server]) else { return nil }
        guard let number = UInt16(exactly: try row.integer(0, of: "configuration")), number > 0 else {
            throw DamagedRow(table: "configuration")
        }
        return ConfigurationRecord(number: number, digest: try row.bytes(1, of: "configuration"))
    }

    private static func values(
        of server: Int64,
        in db: Database
    ) throws -> [CharacteristicID: CharacteristicValue] {
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT aid, iid, kind, value FROM value WHERE server = ?",
            arguments: [server]
        )
        var values: [CharacteristicID: CharacteristicValue] = [:]
        while let row = try rows.next() {
            guard let id = CharacteristicID(try row.unsigned(0, of: "value"), try row.unsigned(1, of: "value")),
                let kind = StoredValue.Kind(rawValue: try row.text(2, of: "value")),
                let value = StoredValue(kind: kind, content: row[3]).value
            else { throw DamagedRow(table: "value") }
            values[id] = value
        }
        return values
    }
}
