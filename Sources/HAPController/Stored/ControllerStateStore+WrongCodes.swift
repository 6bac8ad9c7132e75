public import AccessoryModel
internal import GRDB
internal import Storage

extension ControllerStateStore {
    /// How many targets are remembered: a count for each place that somebody has ever mistyped would never end.
    private static let maximumTargets: Int64 = 256

    /// Counts a setup code that was not accepted.
    ///
    /// - Returns: how many there were, this one included; the targets beyond the 256 last ones are forgotten.
    public func countWrongCode(at target: String) async throws(StoreError) -> Int {
        try await database.write(.synced) { db in
            let target = StoredText(target)
            let sql = "SELECT count FROM wrong_code WHERE target = ?"
            let former = try Row.fetchOne(db, sql: sql, arguments: [target])?.integer(0, of: "wrong_code") ?? 0
            // Nobody counts beyond that, and a file may hold anything.
            let count = min(max(0, former), Int64(Int32.max)) + 1
            try db.execute(sql: "DELETE FROM wrong_code WHERE target = ?", arguments: [target])
            try db.execute(
                sql: """
                    INSERT INTO wrong_code (id, target, count)
                    SELECT coalesce(max(id), 0) + 1, ?, ? FROM wrong_code
                    """,
                arguments: [target, count]
            )
            try db.execute(
                sql: """
                    DELETE FROM wrong_code WHERE id NOT IN (SELECT id FROM wrong_code ORDER BY id DESC LIMIT ?)
                    """,
                arguments: [Self.maximumTargets]
            )
            return Int(count)
        }
    }

    /// Begins the count anew: a code was accepted.
    public func forgetWrongCodes(at target: String) async throws(StoreError) {
        try await database.write(.synced) { db in
            try db.execute(sql: "DELETE FROM wrong_code WHERE target = ?", arguments: [StoredText(target)])
        }
    }
}
