import HAPCore

extension JSONWriter {
    /// Writes a text under a key.
    mutating func member(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    /// Writes a number under a key.
    mutating func member(_ name: String, _ number: Int) {
        key(name)
        value(number)
    }

    /// Writes texts under a key.
    mutating func member(_ name: String, _ texts: [String]) {
        key(name)
        beginArray()
        for text in texts {
            value(text)
        }
        endArray()
    }
}
