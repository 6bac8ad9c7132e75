import FuzzHarness
import HAPCore

/// The change that the input makes to a message on its way.
///
/// It is decoded as a whole, so that the same bytes describe the same change for every message.
enum Mutation {
    case flip(position: Int, mask: UInt8)
    case truncate(count: Int)
    case append([UInt8])
    case replace([UInt8])
    case setItem(type: UInt8, [UInt8])
    case removeItem(position: Int)
    case repeatItem(position: Int)
    case moveItemToFront(position: Int)

    init(_ source: inout ByteSource) {
        switch source.byte() % 8 {
        case 0: self = .flip(position: source.number(), mask: source.byte())
        case 1: self = .truncate(count: source.number())
        case 2: self = .append(source.bytes(Int(source.byte())))
        case 3: self = .replace(source.bytes(Int(source.byte())))
        case 4: self = .setItem(type: source.byte(), source.bytes(Int(source.byte())))
        case 5: self = .removeItem(position: Int(source.byte()))
        case 6: self = .repeatItem(position: Int(source.byte()))
        default: self = .moveItemToFront(position: Int(source.byte()))
        }
    }

    func apply(to message: [UInt8]) -> [UInt8] {
        switch self {
        case .flip(let position, let mask):
            guard !message.isEmpty else { return message }
            var changed = message
            changed[position % message.count] ^= mask
            return changed
        case .truncate(let count): return Array(message.prefix(count % (message.count + 1)))
        case .append(let bytes): return message + bytes
        case .replace(let bytes): return bytes
        case .setItem(let type, let value):
            return changingItems(of: message) { items in
                if let position = items.firstIndex(where: { $0.type == type }) {
                    items[position].value = value
                } else {
                    items.append(TLV8Item(type: type, value: value))
                }
            }
        case .removeItem(let position):
            return changingItems(of: message) { items in items.remove(at: position % items.count) }
        case .repeatItem(let position):
            return changingItems(of: message) { items in items.append(items[position % items.count]) }
        case .moveItemToFront(let position):
            return changingItems(of: message) { items in
                items.insert(items.remove(at: position % items.count), at: 0)
            }
        }
    }

    /// Returns the message with changed items, or the message itself if it has none.
    private func changingItems(of message: [UInt8], _ change: (inout [TLV8Item]) -> Void) -> [UInt8] {
        var reader = TLV8Reader(message, at: "fuzz")
        var items: [TLV8Item] = []
        while let item = try? reader.next() {
            items.append(item)
        }
        guard !items.isEmpty else { return message }
        change(&items)
        var writer = TLV8Writer()
        for item in items {
            writer.write(item.value, type: item.type)
        }
        return writer.bytes
    }
}
