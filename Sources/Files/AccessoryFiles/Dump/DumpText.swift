internal import HAPCore

/// Writes accessories as readable JSON, with one line for each characteristic.
enum DumpText {
    /// Returns the text of an object with these accessories.
    static func text(of accessories: [JSONValue]) -> [UInt8] {
        var bytes: [UInt8] = []
        append(.object(["accessories": .array(accessories)]), indentation: 0, to: &bytes)
        bytes.append(0x0A)
        return bytes
    }

    /// The depth of a characteristic; values at this depth or deeper are written on one line.
    private static let inlineDepth = 6

    private static func append(_ value: JSONValue, indentation: Int, to bytes: inout [UInt8]) {
        switch value {
        case .array(let elements) where indentation < inlineDepth && elements.contains { $0.object != nil }:
            bytes.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                beginElement(position, indentation + 1, in: &bytes)
                append(element, indentation: indentation + 1, to: &bytes)
            }
            endCollection("]", indentation, in: &bytes)
        case .object(let object) where indentation < inlineDepth && !object.members.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (position, member) in object.members.enumerated() {
                beginElement(position, indentation + 1, in: &bytes)
                bytes += JSONValue.string(member.key).encoded + ": ".utf8
                append(member.value, indentation: indentation + 1, to: &bytes)
            }
            endCollection("}", indentation, in: &bytes)
        case .null, .bool, .number, .string, .array, .object:
            bytes += value.encoded
        }
    }

    private static func beginElement(_ position: Int, _ indentation: Int, in bytes: inout [UInt8]) {
        if position > 0 {
            bytes.append(UInt8(ascii: ","))
        }
        startLine(indentation, in: &bytes)
    }

    private static func endCollection(_ bracket: Unicode.Scalar, _ indentation: Int, in bytes: inout [UInt8]) {
        startLine(indentation, in: &bytes)
        bytes.append(UInt8(ascii: bracket))
    }

    private static func startLine(_ indentation: Int, in bytes: inout [UInt8]) {
        bytes.append(0x0A)
        bytes += repeatElement(0x20, count: 2 * indentation)
    }
}
