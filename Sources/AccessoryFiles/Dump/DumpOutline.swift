/// What the first levels of a JSON text hold, seen without reading it.
struct DumpOutline {
    /// Whether it is a list, or an object with `accessories` that have aids and without what makes a definition.
    let isDump: Bool

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(_ bytes: [UInt8]) {
        let start = bytes.starts(with: Self.byteOrderMark) ? 3 : 0
        let begin = bytes[start...].firstIndex { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        switch begin.map({ bytes[$0] }) {
        case UInt8(ascii: "["): isDump = true
        case UInt8(ascii: "{"): isDump = Self.isDump(bytes[(begin ?? 0)...])
        default: isDump = false
        }
    }

    /// Walks an object once, and looks at its keys and at those of the objects in its lists.
    private static func isDump(_ bytes: ArraySlice<UInt8>) -> Bool {
        var depth = 0
        var text: ArraySlice<UInt8> = []
        var isInAccessories = false
        var hasAID = false
        var position = bytes.startIndex
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return hasAID }
            case UInt8(ascii: "\""):
                let start = position + 1
                position = start
                while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                text = bytes[start..<min(position, bytes.endIndex)]
            case UInt8(ascii: ":") where depth == 1:
                if text.elementsEqual("accessory".utf8) || text.elementsEqual("bridge".utf8) { return false }
                isInAccessories = text.elementsEqual("accessories".utf8)
            case UInt8(ascii: ":") where depth == 3 && isInAccessories:
                hasAID = hasAID || text.elementsEqual("aid".utf8)
            default: break
            }
            position += 1
        }
        return hasAID
    }
}
