internal import AccessoryModel
internal import Documents
internal import HAPCore

extension DefinitionSession {
    /// The greatest id, unless the definition is that of a real device.
    static let maximumID = IdentifierMap.maximumID

    private var ids: ClosedRange<UInt64> {
        1...(isVerbatim ? .max : Self.maximumID)
    }

    /// What is wrong so far.
    var findings: DiagnosticCollector {
        get { reader.diagnostics }
        _modify { yield &reader.diagnostics }
    }

    /// A text, of any length in the picture of a real device; a number without quotes is taken as it is written.
    mutating func text(_ field: DocumentField?, bytes: ClosedRange<Int>? = nil) -> String? {
        reader.text(field, bytes: isVerbatim ? nil : bytes)
    }

    mutating func flag(_ field: DocumentField?, without standard: Bool = false) -> Bool {
        reader.flag(field, without: standard)
    }

    mutating func integer(_ field: DocumentField?, in range: ClosedRange<UInt64>) -> UInt64? {
        reader.integer(field, in: range)
    }

    mutating func value<Value>(
        _ field: DocumentField?,
        _ name: String,
        _ remedy: String,
        _ read: (String) -> Value?
    ) -> Value? {
        reader.value(field, name, remedy, read)
    }

    mutating func list(_ field: DocumentField?) -> [DocumentField] {
        reader.list(field)
    }

    mutating func word<Word>(_ field: DocumentField, _ words: [(String, Word)]) -> Word? {
        reader.word(field, words)
    }

    /// An instance id.
    mutating func instanceID(_ field: DocumentField?) -> InstanceID? {
        integer(field, in: ids).flatMap { InstanceID($0) }
    }

    /// An accessory id.
    mutating func accessoryID(_ field: DocumentField?) -> AccessoryID? {
        integer(field, in: ids).flatMap { AccessoryID($0) }
    }
}
