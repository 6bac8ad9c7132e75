internal import Foundation
package import GRDB

/// Text as it is kept: exactly, whatever it holds.
///
/// GRDB hands text to SQLite and takes it back as a C string, which ends at the first zero byte. Text with a zero byte
/// is therefore kept as a blob of its UTF-8, all other text as text that people can read and search.
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
