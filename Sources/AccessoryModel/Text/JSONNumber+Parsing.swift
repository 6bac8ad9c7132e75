package import HAPCore

extension JSONNumber {
    /// Reads a number as JSON writes it; `nil` for anything else.
    package init?(parsing text: String) {
        guard text.utf8.count <= 64, let number = (try? JSONValue(parsing: Array(text.utf8)))?.number else {
            return nil
        }
        self = number
    }
}

extension JSONValue {
    /// The number, also one that is written as a text; `nil` for every other kind.
    package var numberOrText: JSONNumber? {
        number ?? string.flatMap { JSONNumber(parsing: $0) }
    }
}
