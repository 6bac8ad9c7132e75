import FuzzHarness
import HAPCore
import TestSupport

/// TLV8: a message that was read is the same after writing and reading.
enum TLV8Target: FuzzTarget {
    static let name = "tlv8"

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for vector in Vectors.all.tlv8.valid {
            seeds["valid-\(vector.name)"] = [UInt8](hex: vector.encoded)
        }
        for vector in Vectors.all.tlv8.malformed {
            seeds["malformed-\(vector.name)"] = [UInt8](hex: vector.encoded)
        }
        seeds["list"] = [UInt8](hex: Vectors.all.pairings.listResponse)
        seeds["list-without-separators"] = [UInt8](hex: "0101610b01010101620b0100")
        return seeds
    }

    static func run(_ input: [UInt8]) {
        let items = outcome { () throws(ProtocolError) in try read(input) }
        guard case .success(let items) = items else {
            claim((try? TLV8Message(input, at: "fuzz")) == nil, "a message has items that a reader refuses")
            claim((try? TLV8Message.list(input, at: "fuzz")) == nil, "a list has items that a reader refuses")
            return
        }
        var writer = TLV8Writer()
        for item in items {
            writer.write(item.value, type: item.type)
        }
        claim(writer.bytes == input, "items are written as they were read")
        checkMessage(input, items)
        checkList(input, items)
    }

    private static func read(_ input: [UInt8]) throws(ProtocolError) -> [TLV8Item] {
        var reader = TLV8Reader(input, at: "fuzz")
        var items: [TLV8Item] = []
        while let item = try reader.next() {
            items.append(item)
        }
        return items
    }

    private static func checkMessage(_ input: [UInt8], _ items: [TLV8Item]) {
        guard let message = try? TLV8Message(input, at: "fuzz") else { return }
        for item in items {
            guard let type = TLVType(rawValue: item.type), type != .separator else { continue }
            claim(message[type] == item.value, "a message has each value that was sent")
        }
        for type in TLVType.allCases where message[type] != nil {
            claim(items.contains { $0.type == type.rawValue }, "a message has no value that was not sent")
        }
        _ = try? (message.state(), message.flags())
        _ = try? message.srpPublicKey()
        _ = try? (message.proof(), message.signature())
        _ = try? (message.encryptedData(), message.controllerIdentifier(), message.longTermKey())
    }

    private static func checkList(_ input: [UInt8], _ items: [TLV8Item]) {
        guard let elements = try? TLV8Message.list(input, at: "fuzz") else { return }
        let separators = items.count { $0.type == TLVType.separator.rawValue }
        let identifiers = items.count { $0.type == TLVType.identifier.rawValue }
        let others = elements.count - separators - 1
        claim(others >= 0 && others <= max(identifiers - 1, 0), "separators and further identifiers divide a list")
    }
}
