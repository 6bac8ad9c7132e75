internal import AccessoryModel
package import FoundationEssentials
package import GRDB
internal import HAPCore

/// The exact value of a characteristic with its kind, as the database stores it.
struct StoredValue {
    /// The kind of the content; the raw values are in the database and never change.
    enum Kind: String {
        case bool
        case unsigned
        case negative
        case real
        case string
        case data
    }

    var kind: Kind
    var content: DatabaseValue
}

extension StoredValue {
    /// Creates a stored value, or `nil` for a number that is not finite.
    init?(_ value: CharacteristicValue) {
        switch value {
        case .bool(let value): self.init(kind: .bool, content: (value ? 1 : 0).databaseValue)
        case .number(.unsigned(let value)):
            self.init(kind: .unsigned, content: Int64(bitPattern: value).databaseValue)
        case .number(.negative(let value)): self.init(kind: .negative, content: value.databaseValue)
        case .number(.real(let value)):
            guard value.isFinite else { return nil }
            self.init(kind: .real, content: value.databaseValue)
        case .string(let value): self.init(kind: .string, content: StoredText(value).databaseValue)
        case .data(let value): self.init(kind: .data, content: Data(value).databaseValue)
        }
    }

    /// The value, or `nil` if the content does not have its kind.
    var value: CharacteristicValue? {
        switch (kind, content.storage) {
        case (.bool, .int64(0)): .bool(false)
        case (.bool, .int64(1)): .bool(true)
        case (.unsigned, .int64(let value)): .number(.unsigned(UInt64(bitPattern: value)))
        case (.negative, .int64(let value)): .number(.negative(value))
        case (.real, .double(let value)): .number(.real(value))
        case (.string, .string), (.string, .blob):
            StoredText.fromDatabaseValue(content).map { .string($0.text) }
        case (.data, .blob(let value)): .data(Array(value))
        // SQLite may store an empty blob as a null.
        case (.data, .null): .data([])
        case (.bool, _), (.unsigned, _), (.negative, _), (.real, _), (.string, _), (.data, _): nil
        }
    }
}

/// Text as the database stores it, unchanged even with zero bytes.
///
/// GRDB passes text to SQLite and back as a C string, which ends at the first zero byte. Text with a zero byte is
/// therefore stored as a blob of its UTF-8, and all other text as text that people can read and search.
package struct StoredText: DatabaseValueConvertible {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }

    package var databaseValue: DatabaseValue {
        text.utf8.contains(0) ? Data(text.utf8).databaseValue : text.databaseValue
    }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> StoredText? {
        switch value.storage {
        case .string(let text): StoredText(text)
        case .blob(let bytes): String(validating: bytes, as: UTF8.self).map(StoredText.init)
        case .null, .int64, .double: nil
        }
    }
}

extension Data {
    /// Returns the bytes of a secret for GRDB without a copy; valid only as long as the buffer.
    package static func noCopy(_ secret: UnsafeRawBufferPointer) -> Data {
        guard let base = secret.baseAddress else { return Data() }
        return Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: secret.count, deallocator: .none)
    }
}

// GRDB's own accessors end the process if a column has another type than requested. A file may contain anything.
extension Row {
    /// Returns an integer.
    package func integer(_ column: Int, of table: String) throws(DamagedRow) -> Int64 {
        guard case .int64(let value) = storage(column) else { throw DamagedRow(table: table) }
        return value
    }

    /// Returns an unsigned number from the bits of an integer.
    package func unsigned(_ column: Int, of table: String) throws(DamagedRow) -> UInt64 {
        UInt64(bitPattern: try integer(column, of: table))
    }

    /// Returns a port, or `nil` for a null.
    package func port(_ column: Int, of table: String) throws(DamagedRow) -> UInt16? {
        if case .null = storage(column) { return nil }
        guard let port = UInt16(exactly: try integer(column, of: table)) else { throw DamagedRow(table: table) }
        return port
    }

    /// Returns text.
    package func text(_ column: Int, of table: String) throws(DamagedRow) -> String {
        guard let text = StoredText.fromDatabaseValue(self[column]) else { throw DamagedRow(table: table) }
        return text.text
    }

    /// Returns bytes; none for a null, which SQLite may store instead of an empty blob.
    package func bytes(_ column: Int, of table: String) throws(DamagedRow) -> [UInt8] {
        switch storage(column) {
        case .blob(let data): return Array(data)
        case .null: return []
        case .int64, .double, .string: throw DamagedRow(table: table)
        }
    }

    /// Returns the content of a column, whatever its type.
    package func storage(_ column: Int) -> DatabaseValue.Storage {
        (self[column] as DatabaseValue).storage
    }
}

/// The error for a row that this package cannot have written.
///
/// The caller that knows the path of the file converts it to a `StoreError`. The error contains no content of the row,
/// which may be a secret.
package struct DamagedRow: Error {
    /// The table of the row.
    package let table: String

    /// Creates the error.
    package init(table: String) {
        self.table = table
    }
}

/// The error for a row that a newer version of the program has written, and that may be valid.
package struct NewerRow: Error {
    /// Creates the error.
    package init() {}
}
