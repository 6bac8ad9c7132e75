package import AccessoryModel
internal import FoundationEssentials
internal import GRDB

extension ServerStore: DriverDataStore {
    package func driverData(of owner: DriverDataOwner) async throws(StoreError) -> [String: [UInt8]] {
        let key = StoredText(key)
        return try await database.read { db in
            guard let server = try Self.existingRow(of: key, in: db) else { return [:] }
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT name, content FROM driver_data WHERE server = ? AND accessory_key = ? AND driver = ?",
                arguments: [server, StoredText(owner.accessory), owner.driver]
            )
            var data: [String: [UInt8]] = [:]
            for row in rows { data[try row.text(0, of: "driver_data")] = try row.bytes(1, of: "driver_data") }
            return data
        }
    }

    package func setDriverData(
        _ bytes: [UInt8]?,
        name: String,
        of owner: DriverDataOwner
    ) async throws(StoreError) {
        let key = StoredText(key)
        try await database.write(.synced) { db in
            let server = try Self.row(of: key, in: db)
            let place: StatementArguments = [server, StoredText(owner.accessory), owner.driver, name]
            if let bytes {
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO driver_data (server, accessory_key, driver, name, content)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: place + [Data(bytes)]
                )
            } else {
                try db.execute(
                    sql: """
                        DELETE FROM driver_data
                        WHERE server = ? AND accessory_key = ? AND driver = ? AND name = ?
                        """,
                    arguments: place
                )
            }
        }
    }
}
