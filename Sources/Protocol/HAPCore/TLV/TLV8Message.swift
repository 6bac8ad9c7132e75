/// A pairing message, or one element of a list: a value for each known type.
///
/// Items of unknown types are omitted.
///
/// HAP: §4
package struct TLV8Message: Sendable, Hashable {
    /// The values with their types.
    ///
    /// They are so few that a linear search is faster than a dictionary.
    private var values: [Value] = []
    /// The name of the message in errors.
    package let location: String

    private struct Value: Sendable, Hashable {
        let type: TLVType
        let bytes: [UInt8]
    }

    /// Reads a message that is not a list; `location` names it in errors.
    ///
    /// Separators have no meaning in it. Throws ``ProtocolError`` with the code `tlv` if the bytes break a rule of TLV8
    /// or a known type occurs twice.
    package init(_ bytes: [UInt8], at location: String) throws(ProtocolError) {
        self.init(at: location)
        var reader = TLV8Reader(bytes, at: location)
        while let item = try reader.next() {
            try add(item)
        }
    }

    private init(at location: String) {
        self.location = location
    }

    /// Reads the list of pairings, whose elements are divided by separators; it has at least one element.
    ///
    /// Some accessories omit the separators, so a second identifier begins another element, too.
    ///
    /// Throws ``ProtocolError`` with the code `tlv` if the bytes break a rule of TLV8, or if another known type occurs
    /// twice in one element.
    package static func list(_ bytes: [UInt8], at location: String) throws(ProtocolError) -> [TLV8Message] {
        var reader = TLV8Reader(bytes, at: location)
        var elements: [TLV8Message] = []
        var element = TLV8Message(at: location)
        while let item = try reader.next() {
            let isSeparator = item.type == TLVType.separator.rawValue
            if isSeparator || item.type == TLVType.identifier.rawValue && element[.identifier] != nil {
                elements.append(element)
                element = TLV8Message(at: location)
            }
            try element.add(item)
        }
        elements.append(element)
        return elements
    }

    /// The value of this type, `nil` when it is absent.
    package subscript(type: TLVType) -> [UInt8]? {
        values.first { $0.type == type }?.bytes
    }

    /// Returns the value of this type if its number of bytes is within `size`; throws if it is absent or of another
    /// size.
    package func bytes(_ type: TLVType, size: ClosedRange<Int>) throws(ProtocolError) -> [UInt8] {
        guard let value = try optionalBytes(type, size: size) else { throw malformed("\(type) is missing") }
        return value
    }

    /// Returns the value of this type; `nil` if it is absent.
    ///
    /// Throws if its number of bytes is not within `size`.
    package func optionalBytes(_ type: TLVType, size: ClosedRange<Int>) throws(ProtocolError) -> [UInt8]? {
        guard let value = self[type] else { return nil }
        guard size.contains(value.count) else { throw malformed("\(type) has \(value.count) bytes") }
        return value
    }

    /// Returns the value of this type; throws if it is absent or does not have exactly one byte.
    package func byte(_ type: TLVType) throws(ProtocolError) -> UInt8 {
        guard let byte = try optionalByte(type) else { throw malformed("\(type) is missing") }
        return byte
    }

    /// Returns the value of this type; `nil` if it is absent.
    ///
    /// Throws if it does not have exactly one byte.
    package func optionalByte(_ type: TLVType) throws(ProtocolError) -> UInt8? {
        try optionalBytes(type, size: 1...1)?.first
    }

    func malformed(_ reason: String) -> ProtocolError {
        ProtocolError(.tlv, reason, at: location)
    }

    private mutating func add(_ item: TLV8Item) throws(ProtocolError) {
        guard let type = TLVType(rawValue: item.type) else { return }
        guard type != .separator else {
            guard item.value.isEmpty else { throw malformed("a separator has a value") }
            return
        }
        let position = values.firstIndex { $0.type.rawValue >= type.rawValue } ?? values.endIndex
        guard position == values.endIndex || values[position].type != type else {
            throw malformed("\(type) occurs twice")
        }
        values.insert(Value(type: type, bytes: item.value), at: position)
    }
}

/// One value of a TLV8 message, its fragments joined.
///
/// HAP: §4
package struct TLV8Item: Sendable, Hashable {
    package var type: UInt8
    package var value: [UInt8]

    package init(type: UInt8, value: [UInt8]) {
        self.type = type
        self.value = value
    }
}
