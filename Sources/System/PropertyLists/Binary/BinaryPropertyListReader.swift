internal import Documents
internal import HAPCore

/// Reads a binary property list, version 00.
///
/// Each object is read once, even if it is referred to several times. Two objects may not share bytes, so the objects
/// together are not longer than the file.
struct BinaryPropertyListReader {
    private enum Slot {
        case unread
        case beingRead
        case read(DecodedObject)
    }

    /// An object with its content.
    private struct DecodedObject {
        var value: PropertyList
        /// The number of values, including the object itself and its content.
        ///
        /// Content that is referred to several times counts each time.
        var size = 1
        /// The depth; 0 for a value that cannot have content.
        var depth = 0
    }

    /// The reading position in a value.
    private struct Cursor {
        let start: Int
        /// The position of the next byte.
        var position: Int
    }

    private let bytes: [UInt8]
    private let name: String
    private let limits: PropertyListLimits
    private let layout: BinaryPropertyListLayout
    private var slots: [Slot]
    /// The number of bytes of all objects that were read.
    private var decodedBytes = 0

    init(_ bytes: [UInt8], name: String, limits: PropertyListLimits) throws(DocumentError) {
        self.bytes = bytes
        self.name = name
        self.limits = limits
        layout = try BinaryPropertyListLayout(of: bytes, name: name, limits: limits)
        slots = Array(repeating: .unread, count: layout.objectCount)
    }

    mutating func read() throws(DocumentError) -> PropertyList {
        try tree(layout.topObject, depth: 0).value
    }

    /// Returns an object by its number; `depth` is the number of collections around it.
    private mutating func tree(_ number: Int, depth: Int) throws(DocumentError) -> DecodedObject {
        switch slots[number] {
        case .read(let tree):
            try check(depth: depth + tree.depth, at: number)
            return tree
        case .beingRead:
            throw syntaxError(
                at: layout.offset(of: number, in: bytes),
                "object \(number) contains itself; remove the reference"
            )
        case .unread:
            // This is checked before the content is read, because each level takes a stack frame.
            try check(depth: depth, at: number)
            slots[number] = .beingRead
            let tree = try decode(number, depth: depth)
            try check(depth: depth + tree.depth, at: number)
            slots[number] = .read(tree)
            return tree
        }
    }

    private func check(depth: Int, at number: Int) throws(DocumentError) {
        guard depth <= limits.maximumDepth else {
            throw syntaxError(
                at: layout.offset(of: number, in: bytes),
                "lists and dictionaries are nested more than \(limits.maximumDepth) deep; export the file again"
            )
        }
    }

    private mutating func decode(_ number: Int, depth: Int) throws(DocumentError) -> DecodedObject {
        let start = layout.offset(of: number, in: bytes)
        guard layout.objectArea.contains(start) else {
            throw syntaxError(
                at: start,
                "object \(number) is outside of the object area; the file is damaged, so export it again"
            )
        }
        let marker = bytes[start]
        var place = Cursor(start: start, position: start + 1)
        switch marker >> 4 {
        case 0x0 where marker == 0x08 || marker == 0x09:
            try countBytes(place)
            return DecodedObject(value: .bool(marker == 0x09))
        case 0x1 where marker & 0x0F <= 4:
            return DecodedObject(value: try integer(length: 1 << Int(marker & 0x0F), at: &place))
        case 0x2 where marker == 0x22 || marker == 0x23:
            return DecodedObject(value: .real(try real(length: 1 << Int(marker & 0x0F), at: &place)))
        case 0x3 where marker == 0x33:
            return DecodedObject(value: .date(try real(length: 8, at: &place)))
        case 0x4:
            let count = try count(marker, at: &place, elementSize: 1)
            return DecodedObject(value: .data(Array(try readBytes(count, at: &place))))
        case 0x5, 0x6, 0x7:
            return DecodedObject(value: .text(try text(marker, at: &place)))
        case 0x8:
            let digits = try readBytes(Int(marker & 0x0F) + 1, at: &place)
            guard let uid = UInt32(exactly: digits.reduce(into: UInt128(0)) { $0 = $0 << 8 | UInt128($1) }) else {
                throw syntaxError(at: start, "the number of an object has more than 32 bits; export the file again")
            }
            return DecodedObject(value: .uid(uid))
        case 0xA:
            return try array(marker, at: &place, depth: depth)
        case 0xD:
            return try dictionary(marker, at: &place, depth: depth)
        default:
            throw syntaxError(
                at: start,
                "no value begins with the byte 0x\(String(marker, radix: 16)); the file is damaged, so export it again"
            )
        }
    }

    private mutating func integer(length: Int, at place: inout Cursor) throws(DocumentError) -> PropertyList {
        let digits = try readBytes(length, at: &place)
        let unsigned = digits.reduce(into: UInt128(0)) { $0 = $0 << 8 | UInt128($1) }
        // Integers of up to four bytes are unsigned; those of eight and sixteen bytes are signed.
        let value =
            switch length {
            case 8: Int128(Int64(truncatingIfNeeded: unsigned))
            default: Int128(truncatingIfNeeded: unsigned)
            }
        guard let integer = PropertyList(integer: value) else {
            throw syntaxError(at: place.start, "an integer has more than 64 bits; write a smaller one")
        }
        return integer
    }

    private mutating func real(length: Int, at place: inout Cursor) throws(DocumentError) -> Double {
        let bits = try readBytes(length, at: &place).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        return length == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            : Double(bitPattern: bits)
    }

    private mutating func text(_ marker: UInt8, at place: inout Cursor) throws(DocumentError) -> String {
        let width = marker >> 4 == 0x6 ? 2 : 1
        let count = try count(marker, at: &place, elementSize: width)
        let content = try readBytes(count * width, at: &place)
        let text: String?
        if width == 2 {
            let first = content.startIndex
            let units = (0..<count)
                .map { UInt16(content[first + 2 * $0]) << 8 | UInt16(content[first + 2 * $0 + 1]) }
            text = String(validating: units, as: UTF16.self)
        } else {
            let isValid = marker >> 4 == 0x7 || content.allSatisfy { $0 < 0x80 }
            text = isValid ? String(validating: content, as: UTF8.self) : nil
        }
        guard let text else {
            throw syntaxError(at: place.start, "a text is not Unicode; the file is damaged, so export it again")
        }
        return text
    }

    private mutating func array(_ marker: UInt8, at place: inout Cursor, depth: Int) throws(DocumentError)
        -> DecodedObject
    {
        let count = try count(marker, at: &place, elementSize: layout.referenceSize)
        try check(size: count, at: place.start)
        let first = place.position
        _ = try readBytes(count * layout.referenceSize, at: &place)
        var elements: [PropertyList] = []
        elements.reserveCapacity(count)
        var whole = DecodedObject(value: .array([]), depth: 1)
        for position in 0..<count {
            let element = try tree(reference(position, from: first), depth: depth + 1)
            try add(element, to: &whole, at: place.start)
            elements.append(element.value)
        }
        whole.value = .array(elements)
        return whole
    }

    private mutating func dictionary(_ marker: UInt8, at place: inout Cursor, depth: Int) throws(DocumentError)
        -> DecodedObject
    {
        let count = try count(marker, at: &place, elementSize: 2 * layout.referenceSize)
        try check(size: 2 * count, at: place.start)
        let first = place.position
        _ = try readBytes(2 * count * layout.referenceSize, at: &place)
        var dictionary = PropertyListDictionary()
        var whole = DecodedObject(value: .array([]), depth: 1)
        for position in 0..<count {
            let key = try tree(reference(position, from: first), depth: depth + 1)
            guard let text = key.value.text else {
                throw syntaxError(at: place.start, "the key of a dictionary is not a text; export the file again")
            }
            let value = try tree(reference(count + position, from: first), depth: depth + 1)
            try add(key, to: &whole, at: place.start)
            try add(value, to: &whole, at: place.start)
            guard dictionary.append(value.value, forKey: text) else {
                throw syntaxError(at: place.start, "a dictionary has the key \(text.excerpt) twice; remove one of them")
            }
        }
        whole.value = dictionary.uid.flatMap(UInt32.init(exactly:)).map(PropertyList.uid) ?? .dictionary(dictionary)
        return whole
    }

    private func add(_ part: DecodedObject, to whole: inout DecodedObject, at start: Int) throws(DocumentError) {
        whole.size += part.size
        whole.depth = max(whole.depth, part.depth + 1)
        try check(size: whole.size, at: start)
    }

    private func check(size: Int, at start: Int) throws(DocumentError) {
        guard size <= limits.maximumValues else {
            throw syntaxError(
                at: start,
                "there are more than \(limits.maximumValues) values; export fewer accessories at once"
            )
        }
    }

    /// Returns the number of an object in a list or a dictionary.
    private func reference(_ position: Int, from first: Int) throws(DocumentError) -> Int {
        let start = first + position * layout.referenceSize
        let number = bytes[start..<(start + layout.referenceSize)].bigEndian
        guard number < UInt64(layout.objectCount) else {
            throw syntaxError(
                at: start,
                "there is no object \(number); the last one is \(layout.objectCount - 1), so export the file again"
            )
        }
        return Int(number)
    }

    /// Returns the number of elements of a list, a text or the like, from its marker or from the integer after it.
    private func count(_ marker: UInt8, at place: inout Cursor, elementSize: Int) throws(DocumentError) -> Int {
        var count = UInt64(marker & 0x0F)
        if count == 0x0F {
            guard place.position < layout.objectArea.upperBound, 0x10...0x13 ~= bytes[place.position] else {
                throw syntaxError(
                    at: place.position,
                    "a length is not an integer; the file is damaged, so export it again"
                )
            }
            let width = 1 << Int(bytes[place.position] & 0x0F)
            let end = place.position + 1 + width
            guard end <= layout.objectArea.upperBound else { throw endOfFileError(place.position) }
            count = bytes[(place.position + 1)..<end].bigEndian
            place.position = end
        }
        let room = (layout.objectArea.upperBound - place.position) / elementSize
        guard count <= UInt64(room) else { throw endOfFileError(place.position) }
        return Int(count)
    }

    private mutating func readBytes(_ count: Int, at place: inout Cursor) throws(DocumentError) -> ArraySlice<UInt8> {
        guard count <= layout.objectArea.upperBound - place.position else { throw endOfFileError(place.start) }
        let content = bytes[place.position..<(place.position + count)]
        place.position += count
        try countBytes(place)
        return content
    }

    private mutating func countBytes(_ place: Cursor) throws(DocumentError) {
        decodedBytes += place.position - place.start
        guard decodedBytes <= layout.objectArea.count else {
            throw syntaxError(at: place.start, "objects overlap each other; the file is damaged, so export it again")
        }
    }

    private func endOfFileError(_ position: Int) -> DocumentError {
        syntaxError(
            at: position,
            "a value extends beyond the end of the object area; the file is damaged, so export it again"
        )
    }

    private func syntaxError(at position: Int, _ reason: String) -> DocumentError {
        DocumentError(in: name, path: "byte \(position)", reason)
    }
}
