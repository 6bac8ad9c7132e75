/// Writes a binary property list, version 00, in the form of Apple's programs.
///
/// Objects precede their content, keys precede values, and equal texts, numbers and bytes share one object.
package struct BinaryPropertyListWriter {
    private enum Object {
        case scalar(PropertyList)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var objects: [Object] = []
    private var numbers: [ScalarIdentity: Int] = [:]
    private var output: [UInt8] = []

    private init() {}

    /// Returns the bytes of a property list.
    package static func write(_ list: PropertyList) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        _ = writer.flatten(list)
        return writer.finishOutput()
    }

    /// Assigns numbers to a value and its content; returns the number of the value.
    private mutating func flatten(_ list: PropertyList) -> Int {
        switch list {
        case .array(let elements):
            let number = objects.count
            objects.append(.array([]))
            objects[number] = .array(elements.map { flatten($0) })
            return number
        case .dictionary(let dictionary):
            let number = objects.count
            objects.append(.dictionary(keys: [], values: []))
            let keys = dictionary.entries.map { flatten(.text($0.key)) }
            objects[number] = .dictionary(keys: keys, values: dictionary.entries.map { flatten($0.value) })
            return number
        case .bool, .unsigned, .negative, .real, .date, .text, .data, .uid:
            let identity = ScalarIdentity(list)
            if let number = numbers[identity] { return number }
            numbers[identity] = objects.count
            objects.append(.scalar(list))
            return objects.count - 1
        }
    }

    private mutating func finishOutput() -> [UInt8] {
        output = BinaryPropertyListLayout.header
        let referenceSize = Self.size(of: UInt64(objects.count - 1))
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(output.count)
            switch object {
            case .scalar(let list):
                write(scalar: list)
            case .array(let elements):
                write(marker: 0xA0, count: elements.count)
                for number in elements { append(UInt64(number), size: referenceSize) }
            case .dictionary(let keys, let values):
                write(marker: 0xD0, count: keys.count)
                for number in keys + values { append(UInt64(number), size: referenceSize) }
            }
        }
        let table = output.count
        let offsetSize = Self.size(of: UInt64(table))
        for offset in offsets { append(UInt64(offset), size: offsetSize) }
        output.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
        append(UInt64(objects.count), size: 8)
        append(0, size: 8)
        append(UInt64(table), size: 8)
        return output
    }

    private mutating func write(scalar: PropertyList) {
        switch scalar {
        case .bool(let value): output.append(value ? 0x09 : 0x08)
        case .unsigned(let value): write(unsigned: value)
        case .negative(let value):
            output.append(0x13)
            append(UInt64(bitPattern: value), size: 8)
        case .real(let value):
            output.append(0x23)
            append(value.bitPattern, size: 8)
        case .date(let seconds):
            output.append(0x33)
            append(seconds.bitPattern, size: 8)
        case .text(let text): write(text)
        case .data(let bytes):
            write(marker: 0x40, count: bytes.count)
            output.append(contentsOf: bytes)
        case .uid(let number):
            let size = Self.size(of: UInt64(number))
            output.append(0x80 | UInt8(size - 1))
            append(UInt64(number), size: size)
        case .array, .dictionary:
            preconditionFailure("lists and dictionaries are not scalars")
        }
    }

    private mutating func write(unsigned value: UInt64) {
        if value > UInt64(Int64.max) {
            // Readers interpret eight bytes as a signed number, so the value takes sixteen.
            output.append(0x14)
            append(0, size: 8)
            append(value, size: 8)
        } else {
            let size = Self.size(of: value)
            output.append(0x10 | UInt8(size.trailingZeroBitCount))
            append(value, size: size)
        }
    }

    private mutating func write(_ text: String) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            write(marker: 0x50, count: text.utf8.count)
            output.append(contentsOf: text.utf8)
        } else {
            write(marker: 0x60, count: text.utf16.count)
            for unit in text.utf16 { append(UInt64(unit), size: 2) }
        }
    }

    private mutating func write(marker: UInt8, count: Int) {
        if count < 0x0F {
            output.append(marker | UInt8(count))
        } else {
            output.append(marker | 0x0F)
            write(unsigned: UInt64(count))
        }
    }

    private mutating func append(_ value: UInt64, size: Int) {
        for shift in stride(from: 8 * (size - 1), through: 0, by: -8) {
            output.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    /// Returns the number of bytes for a number: 1, 2, 4 or 8.
    private static func size(of number: UInt64) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}
