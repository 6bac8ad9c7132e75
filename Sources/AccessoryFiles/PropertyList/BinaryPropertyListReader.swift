internal import Documents

/// Reads a binary property list, version 00.
///
/// Each object is read once, however often it stands somewhere; two objects may not share bytes, so that together they
/// are no longer than the file.
struct BinaryPropertyListReader {
    private enum Slot {
        case unread
        case beingRead
        case read(Tree)
    }

    /// An object with everything in it.
    private struct Tree {
        var value: PropertyList
        /// How many values it has, counting itself and what stands in it, each time it does.
        var size = 1
        /// How deep it is: 0 for what can hold nothing.
        var depth = 0
    }

    /// A value that is being read.
    private struct Place {
        let start: Int
        /// Up to where it is read.
        var cursor: Int
    }

    private let bytes: [UInt8]
    private let name: String
    private let layout: BinaryPropertyListLayout
    private var slots: [Slot]
    /// The bytes of all objects that have been read.
    private var taken = 0

    init(_ bytes: [UInt8], name: String) throws(DocumentError) {
        self.bytes = bytes
        self.name = name
        layout = try BinaryPropertyListLayout(of: bytes, name: name)
        slots = Array(repeating: .unread, count: layout.objectCount)
    }

    mutating func read() throws(DocumentError) -> PropertyList {
        try tree(layout.topObject, depth: 0).value
    }

    /// The object of this number, which stands in `depth` others.
    private mutating func tree(_ number: Int, depth: Int) throws(DocumentError) -> Tree {
        switch slots[number] {
        case .read(let tree):
            try check(depth: depth + tree.depth, at: number)
            return tree
        case .beingRead:
            throw fault(at: layout.offset(of: number, in: bytes), "object \(number) holds itself; remove the reference")
        case .unread:
            // Before it is looked into: a chain of lists would take a stack frame for each.
            try check(depth: depth, at: number)
            slots[number] = .beingRead
            let tree = try decode(number, depth: depth)
            try check(depth: depth + tree.depth, at: number)
            slots[number] = .read(tree)
            return tree
        }
    }

    private func check(depth: Int, at number: Int) throws(DocumentError) {
        guard depth <= PropertyList.maximumDepth else {
            throw fault(
                at: layout.offset(of: number, in: bytes),
                "lists and dictionaries are nested more than \(PropertyList.maximumDepth) deep; export the file anew"
            )
        }
    }

    private mutating func decode(_ number: Int, depth: Int) throws(DocumentError) -> Tree {
        let start = layout.offset(of: number, in: bytes)
        guard layout.objectArea.contains(start) else {
            throw fault(
                at: start,
                "object \(number) lies outside of the file's objects; the file is damaged, so export it anew"
            )
        }
        let marker = bytes[start]
        var place = Place(start: start, cursor: start + 1)
        switch marker >> 4 {
        case 0x0 where marker == 0x08 || marker == 0x09:
            try take(place)
            return Tree(value: .bool(marker == 0x09))
        case 0x1 where marker & 0x0F <= 4:
            return Tree(value: try integer(length: 1 << Int(marker & 0x0F), at: &place))
        case 0x2 where marker == 0x22 || marker == 0x23:
            return Tree(value: .real(try real(length: 1 << Int(marker & 0x0F), at: &place)))
        case 0x3 where marker == 0x33:
            return Tree(value: .date(try real(length: 8, at: &place)))
        case 0x4:
            let count = try count(marker, at: &place, elementSize: 1)
            return Tree(value: .data(Array(try takeBytes(count, at: &place))))
        case 0x5, 0x6, 0x7:
            return Tree(value: .text(try text(marker, at: &place)))
        case 0x8:
            let digits = try takeBytes(Int(marker & 0x0F) + 1, at: &place)
            guard let uid = UInt32(exactly: digits.reduce(into: UInt128(0)) { $0 = $0 << 8 | UInt128($1) }) else {
                throw fault(at: start, "the number of an object has more than 32 bits; export the file anew")
            }
            return Tree(value: .uid(uid))
        case 0xA:
            return try array(marker, at: &place, depth: depth)
        case 0xD:
            return try dictionary(marker, at: &place, depth: depth)
        default:
            throw fault(
                at: start,
                "no value begins with the byte 0x\(String(marker, radix: 16)); the file is damaged, so export it anew"
            )
        }
    }

    private mutating func integer(length: Int, at place: inout Place) throws(DocumentError) -> PropertyList {
        let digits = try takeBytes(length, at: &place)
        let unsigned = digits.reduce(into: UInt128(0)) { $0 = $0 << 8 | UInt128($1) }
        // Up to four bytes are unsigned, eight and sixteen are signed.
        let value =
            switch length {
            case 8: Int128(Int64(truncatingIfNeeded: unsigned))
            default: Int128(truncatingIfNeeded: unsigned)
            }
        guard let integer = PropertyList(integer: value) else {
            throw fault(at: place.start, "an integer has more than 64 bits; write a smaller one")
        }
        return integer
    }

    private mutating func real(length: Int, at place: inout Place) throws(DocumentError) -> Double {
        let bits = try takeBytes(length, at: &place).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        return length == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            : Double(bitPattern: bits)
    }

    private mutating func text(_ marker: UInt8, at place: inout Place) throws(DocumentError) -> String {
        let width = marker >> 4 == 0x6 ? 2 : 1
        let count = try count(marker, at: &place, elementSize: width)
        let content = try takeBytes(count * width, at: &place)
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
            throw fault(at: place.start, "a text is not Unicode; the file is damaged, so export it anew")
        }
        return text
    }

    private mutating func array(_ marker: UInt8, at place: inout Place, depth: Int) throws(DocumentError) -> Tree {
        let count = try count(marker, at: &place, elementSize: layout.referenceSize)
        try check(size: count, at: place.start)
        let first = place.cursor
        _ = try takeBytes(count * layout.referenceSize, at: &place)
        var elements: [PropertyList] = []
        elements.reserveCapacity(count)
        var whole = Tree(value: .array([]), depth: 1)
        for position in 0..<count {
            let element = try tree(reference(position, from: first), depth: depth + 1)
            try add(element, to: &whole, at: place.start)
            elements.append(element.value)
        }
        whole.value = .array(elements)
        return whole
    }

    private mutating func dictionary(_ marker: UInt8, at place: inout Place, depth: Int) throws(DocumentError) -> Tree {
        let count = try count(marker, at: &place, elementSize: 2 * layout.referenceSize)
        try check(size: 2 * count, at: place.start)
        let first = place.cursor
        _ = try takeBytes(2 * count * layout.referenceSize, at: &place)
        var dictionary = PropertyListDictionary()
        var whole = Tree(value: .array([]), depth: 1)
        for position in 0..<count {
            let key = try tree(reference(position, from: first), depth: depth + 1)
            guard let text = key.value.text else {
                throw fault(at: place.start, "the key of a dictionary is not a text; export the file anew")
            }
            let value = try tree(reference(count + position, from: first), depth: depth + 1)
            try add(key, to: &whole, at: place.start)
            try add(value, to: &whole, at: place.start)
            guard dictionary.append(value.value, forKey: text) else {
                throw fault(at: place.start, "a dictionary has the key \(text.excerpt) twice; remove one of them")
            }
        }
        whole.value = dictionary.uid.flatMap(UInt32.init(exactly:)).map(PropertyList.uid) ?? .dictionary(dictionary)
        return whole
    }

    private func add(_ part: Tree, to whole: inout Tree, at start: Int) throws(DocumentError) {
        whole.size += part.size
        whole.depth = max(whole.depth, part.depth + 1)
        try check(size: whole.size, at: start)
    }

    private func check(size: Int, at start: Int) throws(DocumentError) {
        guard size <= PropertyList.maximumValues else {
            throw fault(at: start, "there are more than \(PropertyList.maximumValues) values; export less at once")
        }
    }

    /// The number of an object that stands in a list or a dictionary.
    private func reference(_ position: Int, from first: Int) throws(DocumentError) -> Int {
        let start = first + position * layout.referenceSize
        let number = bytes[start..<(start + layout.referenceSize)].bigEndian
        guard number < UInt64(layout.objectCount) else {
            throw fault(
                at: start,
                "there is no object \(number); the last one is \(layout.objectCount - 1), so export the file anew"
            )
        }
        return Int(number)
    }

    /// How many elements a list, a text or the like has: in its marker, or in an integer behind that.
    private func count(_ marker: UInt8, at place: inout Place, elementSize: Int) throws(DocumentError) -> Int {
        var count = UInt64(marker & 0x0F)
        if count == 0x0F {
            guard place.cursor < layout.objectArea.upperBound, 0x10...0x13 ~= bytes[place.cursor] else {
                throw fault(at: place.cursor, "a length is no integer; the file is damaged, so export it anew")
            }
            let width = 1 << Int(bytes[place.cursor] & 0x0F)
            let end = place.cursor + 1 + width
            guard end <= layout.objectArea.upperBound else { throw beyondEnd(place.cursor) }
            count = bytes[(place.cursor + 1)..<end].bigEndian
            place.cursor = end
        }
        let room = (layout.objectArea.upperBound - place.cursor) / elementSize
        guard count <= UInt64(room) else { throw beyondEnd(place.cursor) }
        return Int(count)
    }

    private mutating func takeBytes(_ count: Int, at place: inout Place) throws(DocumentError) -> ArraySlice<UInt8> {
        guard count <= layout.objectArea.upperBound - place.cursor else { throw beyondEnd(place.start) }
        let content = bytes[place.cursor..<(place.cursor + count)]
        place.cursor += count
        try take(place)
        return content
    }

    private mutating func take(_ place: Place) throws(DocumentError) {
        taken += place.cursor - place.start
        guard taken <= layout.objectArea.count else {
            throw fault(at: place.start, "objects overlap each other; the file is damaged, so export it anew")
        }
    }

    private func beyondEnd(_ position: Int) -> DocumentError {
        fault(at: position, "a value goes beyond the end of the file's objects; the file is damaged, so export it anew")
    }

    private func fault(at position: Int, _ reason: String) -> DocumentError {
        DocumentError(in: name, path: "byte \(position)", reason)
    }
}
