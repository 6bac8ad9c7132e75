package import GRDB

// GRDB's own accessors end the process when a column does not hold what they are asked for. A file may hold anything.
extension Row {
    /// An integer.
    package func integer(_ column: Int, of table: String) throws(DamagedRow) -> Int64 {
        guard case .int64(let value) = storage(column) else { throw DamagedRow(table: table) }
        return value
    }

    /// A number without sign, from the bits of an integer.
    package func unsigned(_ column: Int, of table: String) throws(DamagedRow) -> UInt64 {
        UInt64(bitPattern: try integer(column, of: table))
    }

    /// Text.
    package func text(_ column: Int, of table: String) throws(DamagedRow) -> String {
        guard let text = StoredText.fromDatabaseValue(self[column]) else { throw DamagedRow(table: table) }
        return text.text
    }

    /// Bytes; none for a null, as which SQLite may keep an empty blob.
    package func bytes(_ column: Int, of table: String) throws(DamagedRow) -> [UInt8] {
        switch storage(column) {
        case .blob(let data): return Array(data)
        case .null: return []
        case .int64, .double, .string: throw DamagedRow(table: table)
        }
    }

    /// Whatever the column holds.
    package func storage(_ column: Int) -> DatabaseValue.Storage {
        (self[column] as DatabaseValue).storage
    }
}
