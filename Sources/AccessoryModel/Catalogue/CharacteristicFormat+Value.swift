package import HAPCore

extension CharacteristicFormat {
    /// What a value is of whose format nobody knows.
    package init(following value: JSONValue?) {
        switch value {
        case .bool: self = .bool
        case .number(let number):
            if case .real = number {
                self = .float
            } else {
                self = CharacteristicFormat.int.integerRange?.contains(number) == true ? .int : .uint64
            }
        case nil, .null, .string, .array, .object: self = .string
        }
    }
}

extension CharacteristicFormat {
    /// The format with a name that a device has written, in upper or lower case; `nil` for an unknown one.
    package init?(ofDevice name: String) {
        self.init(rawValue: name.lowercased())
    }
}
