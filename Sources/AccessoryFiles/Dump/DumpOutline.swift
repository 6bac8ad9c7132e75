/// What the first levels of a JSON text hold, seen without reading it.
struct DumpOutline {
    /// Whether it is a list, or an object with `accessories` that have aids, in both without what makes a definition.
    let isDump: Bool

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(_ bytes: [UInt8]) {
        let start = bytes.starts(with: Self.byteOrderMark) ? 3 : 0
        let begin = bytes[start...].firstIndex { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        switch begin.map({ bytes[$0] }) {
        case UInt8(ascii: "["): isDump = Self.isDump(bytes[(begin ?? 0)...], isList: true)
        case UInt8(ascii: "{"): isDump = Self.isDump(bytes[(begin ?? 0)...])
        default: isDump = false
        }
    }

    /// What the accessories of a definition have, and those of a dump have not.
    private static let definitionKeys = ["accessory", "bridge", "include"].map { Array($0.utf8) }

    /// Walks an object or a list once, and looks at its keys and at those of the objects in its lists.
    private static func isDump(_ bytes: ArraySlice<UInt8>, isList: Bool = false) -> Bool {
        // A list is taken for that of an object.
        var depth = isList ? 1 : 0
        let end = depth
        var text: ArraySlice<UInt8> = []
        var isInAccessories = isList
        var hasAID = isList
        var position = bytes.startIndex
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == end { return hasAID }
            case UInt8(ascii: "\""):
                let start = position + 1
                position = start
                while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                text = bytes[start..<min(position, bytes.endIndex)]
            case UInt8(ascii: ":") where depth == 1:
                if definitionKeys.contains(where: text.elementsEqual) { return false }
                isInAccessories = text.elementsEqual("accessories".utf8)
            case UInt8(ascii: ":") where depth == 3 && isInAccessories:
                if definitionKeys.contains(where: text.elementsEqual) { return false }
                hasAID = hasAID || text.elementsEqual("aid".utf8)
            default: break
            }
            position += 1
        }
        return hasAID
    }
}
