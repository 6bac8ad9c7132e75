import FuzzHarness
import PropertyLists

/// Changes to the objects of an archive, controlled by the bytes of an input.
enum ArchiveEdit {
    /// The new kind of a property.
    private enum Kind: UInt8, CaseIterable {
        case reference, small, unsigned, negative, real, text, data, list, references, yes, removed, copied
    }

    /// The seeds by name, each of which edits one property.
    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for (position, key) in keys.enumerated() where key.hasPrefix("HAK.") {
            // Every object that has the property gets a new value.
            seeds[key] = [255, 255, UInt8(position), Kind.small.rawValue, 7]
        }
        for kind in Kind.allCases {
            let value = [255, 255, UInt8(keys.firstIndex(of: "HAK.value") ?? 0), kind.rawValue]
            seeds["value-\(kind)"] = value + [4, 0, 1, 2, 3, 4, 5, 6, 7, 8]
        }
        return seeds
    }

    /// Returns the bytes of an archive after all edits of the input.
    static func edited(_ archive: PropertyList, by source: inout ByteSource) -> [UInt8] {
        guard var top = archive.dictionary, var objects = top["$objects"]?.array else { return [] }
        while !source.isEmpty {
            let place = source.number()
            let key = keys[Int(source.byte()) % keys.count]
            let value = value(from: &source, among: objects)
            let positions = place == 0xFFFF ? Array(objects.indices) : [place % objects.count]
            for position in positions {
                guard var fields = objects[position].dictionary else {
                    if place != 0xFFFF { objects[position] = value ?? objects[position] }
                    continue
                }
                if place != 0xFFFF || fields[key] != nil {
                    fields[key] = value
                    objects[position] = .dictionary(fields)
                }
            }
        }
        top["$objects"] = .array(objects)
        return BinaryPropertyListWriter.write(.dictionary(top))
    }

    private static func value(from source: inout ByteSource, among objects: [PropertyList]) -> PropertyList? {
        switch Kind(rawValue: source.byte() % UInt8(Kind.allCases.count)) ?? .removed {
        case .reference: return .uid(UInt32(source.number()))
        case .small: return .unsigned(UInt64(source.byte()))
        case .unsigned: return .unsigned(bits(&source))
        case .negative: return PropertyList(integer: Int64(bitPattern: bits(&source)))
        case .real: return .real(Double(bitPattern: bits(&source)))
        case .text: return .text(String(decoding: source.bytes(Int(source.byte())), as: UTF8.self))
        case .data: return .data(source.bytes(Int(source.byte())))
        case .list: return []
        case .references:
            let count = Int(source.byte() % 8)
            return .array((0..<count).map { _ in .uid(UInt32(source.number())) })
        case .yes: return .bool(true)
        case .removed: return nil
        case .copied: return objects[source.number() % objects.count]
        }
    }

    private static func bits(_ source: inout ByteSource) -> UInt64 {
        source.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static let keys = [
        "$class", "$classname", "HAK.accessory", "HAK.bridge", "HAK.bridgedAccessories", "HAK.category",
        "HAK.characteristics", "HAK.config", "HAK.constrains", "HAK.data", "HAK.description", "HAK.format",
        "HAK.hidden",
        "HAK.identifier", "HAK.instanceid", "HAK.linkedServices", "HAK.maxLength", "HAK.maxValue", "HAK.minValue",
        "HAK.new", "HAK.password", "HAK.permissions", "HAK.primary", "HAK.properties", "HAK.services", "HAK.setupID",
        "HAK.stepValue", "HAK.transports", "HAK.unit", "HAK.uuid", "HAK.value", "NS.bytes", "NS.data", "NS.exponent",
        "NS.keys", "NS.length", "NS.mantissa", "NS.mantissa.bo", "NS.negative", "NS.objects", "NS.string",
        "NS.uuidbytes",
    ]
}
