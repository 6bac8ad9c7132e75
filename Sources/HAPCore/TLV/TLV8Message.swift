/// A pairing message: its items of known types, in one or several elements that separators divide.
///
/// Items of unknown types are left out. Within an element, a known type occurs once.
///
/// HAP: §4
package struct TLV8Message: Sendable, Hashable {
    /// The values between two separators.
    package struct Element: Sendable, Hashable {
        private var values: [TLVType: [UInt8]] = [:]

        package var isEmpty: Bool {
            values.isEmpty
        }

        /// The value of this type.
        package subscript(type: TLVType) -> [UInt8]? {
            values[type]
        }

        /// Adds a value; `false` when there is one of this type.
        fileprivate mutating func add(_ value: [UInt8], type: TLVType) -> Bool {
            values.updateValue(value, forKey: type) == nil
        }
    }

    /// The elements, at least one; all but lists have a single one.
    package let elements: [Element]
    /// The name of the message in errors.
    private let location: String

    /// Reads a message; `location` names it in errors.
    ///
    /// Throws ``ProtocolError`` with the code `tlv` when the bytes break a rule of TLV8 or repeat a known type without
    /// a separator.
    package init(_ bytes: [UInt8], at location: String) throws(ProtocolError) {
        var reader = TLV8Reader(bytes, at: location)
        var elements: [Element] = []
        var element = Element()
        while let item = try reader.next() {
            guard let type = TLVType(rawValue: item.type) else { continue }
            if type == .separator {
                guard item.value.isEmpty else { throw ProtocolError(.tlv, "a separator has a value", at: location) }
                elements.append(element)
                element = Element()
            } else if !element.add(item.value, type: type) {
                throw ProtocolError(.tlv, "\(type) occurs twice without a separator", at: location)
            }
        }
        elements.append(element)
        self.elements = elements
        self.location = location
    }

    /// The value of this type wherever it stands, `nil` when it is absent.
    ///
    /// Throws when several elements hold one: which is meant cannot be told.
    package func optional(_ type: TLVType) throws(ProtocolError) -> [UInt8]? {
        var found: [UInt8]?
        for element in elements {
            guard let value = element[type] else { continue }
            guard found == nil else { throw ProtocolError(.tlv, "\(type) occurs twice", at: location) }
            found = value
        }
        return found
    }

    /// The value of this type, whose byte count is within `size`.
    package func bytes(_ type: TLVType, size: ClosedRange<Int>) throws(ProtocolError) -> [UInt8] {
        try Self.check(optional(type), type, size: size, at: location)
    }

    /// The value of this type, of one byte.
    package func byte(_ type: TLVType) throws(ProtocolError) -> UInt8 {
        guard let byte = try bytes(type, size: 1...1).first else {
            throw ProtocolError(.tlv, "\(type) is empty", at: location)
        }
        return byte
    }

    /// Refuses a value that is missing or whose byte count is not within `size`.
    static func check(
        _ value: [UInt8]?,
        _ type: TLVType,
        size: ClosedRange<Int>,
        at location: String
    ) throws(ProtocolError) -> [UInt8] {
        guard let value else { throw ProtocolError(.tlv, "\(type) is missing", at: location) }
        guard size.contains(value.count) else {
            throw ProtocolError(.tlv, "\(type) has \(value.count) bytes", at: location)
        }
        return value
    }
}
