/// Detects a dump from the first levels of a JSON text, without parsing it.
struct DumpDetector {
    /// Whether the text is a dump, or a file of dumps, and has no key of a definition.
    let isDump: Bool

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(_ bytes: [UInt8]) {
        let start = bytes.starts(with: Self.byteOrderMark) ? 3 : 0
        let begin = bytes[start...].firstIndex { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        switch begin.map({ bytes[$0] }) {
        case UInt8(ascii: "["): isDump = Self.isDump(bytes[(begin ?? 0)...], KeyScanner(isList: true))
        case UInt8(ascii: "{"): isDump = Self.isDump(bytes[(begin ?? 0)...], KeyScanner(isList: false))
        default: isDump = false
        }
    }

    /// Scans the keys of an object or a list, and those of the objects in it, in one pass.
    private static func isDump(_ bytes: ArraySlice<UInt8>, _ scanner: consuming KeyScanner) -> Bool {
        var depth = 0
        var text: ArraySlice<UInt8> = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return scanner.isDump }
            case UInt8(ascii: "\""):
                let start = position + 1
                position = start
                while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                text = bytes[start..<min(position, bytes.endIndex)]
            case UInt8(ascii: ":"):
                scanner.scan(text, at: depth)
                if scanner.isDefinition { return false }
            default: break
            }
            position += 1
        }
        return scanner.isDump
    }
}

extension DumpDetector {
    /// Decides from the keys of a text whether it is a dump or a definition.
    private struct KeyScanner {
        let isList: Bool
        /// Whether a key was found that occurs only in definitions.
        private(set) var isDefinition = false
        /// The keys of the two outer objects at the current position.
        private var outerKey: ArraySlice<UInt8> = []
        private var innerKey: ArraySlice<UInt8> = []
        private var hasAID = false
        private var hasOwnAID = false
        private var hasOwnIID = false

        init(isList: Bool) {
            self.isList = isList
        }

        var isDump: Bool {
            isList || hasAID || hasOwnAID && hasOwnIID
        }

        /// The keys of accessories in definitions that do not occur in dumps.
        private static let definitionKeys = ["accessory", "bridge", "include"].map { Array($0.utf8) }

        /// Records a key; the members of the outermost object or list have depth 1.
        mutating func scan(_ key: ArraySlice<UInt8>, at depth: Int) {
            let isAID = key.elementsEqual("aid".utf8)
            let isInAccessories = isList || outerKey.elementsEqual("accessories".utf8)
            switch depth {
            case 1:
                (outerKey, innerKey) = (key, [])
                isDefinition = isDefinition || isDefinitionKey(key)
                hasOwnAID = hasOwnAID || isAID
            case 2, 3:
                if depth == 2 { innerKey = key }
                if isInAccessories, depth == 2 || !isList {
                    isDefinition = isDefinition || isDefinitionKey(key)
                    hasAID = hasAID || isAID
                }
                // Home Assistant's file is also recognized if it contains no device.
                hasAID = hasAID || depth == 2 && isInData && key.elementsEqual("pairings".utf8)
            default: break
            }
            guard depth > 1 else { return }
            if isAID, isInData || depth == 4 && innerKey.elementsEqual("accessories".utf8) { hasAID = true }
            guard key.elementsEqual("iid".utf8) else { return }
            hasOwnIID = hasOwnIID || outerKey.elementsEqual("services".utf8)
            hasAID = hasAID || depth >= 4 && outerKey.elementsEqual("accessories".utf8)
        }

        private var isInData: Bool { outerKey.elementsEqual("data".utf8) }

        private func isDefinitionKey(_ key: ArraySlice<UInt8>) -> Bool {
            Self.definitionKeys.contains(where: key.elementsEqual)
        }
    }
}
