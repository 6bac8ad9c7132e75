internal import AccessoryModel
internal import Foundation
internal import GRDB
internal import HAPCore

/// A characteristic's value as it is kept: exactly, with what kind it is.
struct StoredValue {
    /// What the content stands for; the names are in files and never change.
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
    /// Takes a value, `nil` when it is a number that is not finite.
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

    /// The value, `nil` when the content is none of its kind.
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
        // SQLite may keep an empty blob as a null.
        case (.data, .null): .data([])
        case (.bool, _), (.unsigned, _), (.negative, _), (.real, _), (.string, _), (.data, _): nil
        }
    }
}
