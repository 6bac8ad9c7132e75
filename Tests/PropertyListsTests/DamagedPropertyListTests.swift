import Documents
import PropertyLists
import Testing

/// Tests damaged and hostile binary property lists.
@Suite
struct DamagedPropertyListTests {
    /// A binary property list whose parts can be damaged.
    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The objects, which follow the header in this order.
        var objects: [[UInt8]] = [[0x08]]
        /// The offsets in the offset table; by default the real offsets of the objects.
        var offsets: [UInt64]?
        var count: UInt64?
        var top: UInt64 = 0
        var table: UInt64?
        var offsetSize: UInt8 = 2
        var referenceSize: UInt8 = 1
        var header = Array("bplist00".utf8)
        /// A text that the reported reason contains.
        var reason: String

        var bytes: [UInt8] {
            var bytes = header
            var starts: [UInt64] = []
            for object in objects {
                starts.append(UInt64(bytes.count))
                bytes += object
            }
            let end = UInt64(bytes.count)
            for offset in offsets ?? starts {
                bytes += Self.bigEndian(offset).suffix(Int(min(offsetSize, 8)))
            }
            bytes += [0, 0, 0, 0, 0, 0, offsetSize, referenceSize]
            bytes += Self.bigEndian(count ?? UInt64((offsets ?? starts).count)) + Self.bigEndian(top)
            return bytes + Self.bigEndian(table ?? end)
        }

        private static func bigEndian(_ value: UInt64) -> [UInt8] {
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) }
        }
    }

    static let damages: [Damage] = [
        Damage(testDescription: "another version", header: Array("bplist15".utf8), reason: "begins with bplist00"),
        Damage(testDescription: "no objects", count: 0, reason: "there are 0 objects"),
        Damage(testDescription: "too many objects", count: 1 << 40, reason: "there are 1099511627776 objects"),
        Damage(testDescription: "more objects than offsets", count: 2, reason: "is not between"),
        Damage(testDescription: "a missing top object", top: 1, reason: "the root object is number 1"),
        Damage(testDescription: "a table before the objects", table: 8, reason: "is not between"),
        Damage(testDescription: "a table beyond the end", table: .max, reason: "is not between"),
        Damage(testDescription: "offsets of 0 bytes", offsetSize: 0, reason: "offsets have 0 bytes"),
        Damage(testDescription: "offsets of 9 bytes", offsetSize: 9, reason: "offsets have 9 bytes"),
        Damage(testDescription: "references of 0 bytes", referenceSize: 0, reason: "references 0"),
        Damage(testDescription: "an offset into the header", offsets: [0], reason: "is outside"),
        Damage(testDescription: "an offset into the table", offsets: [9], reason: "is outside"),
        Damage(
            testDescription: "a 64-bit offset",
            offsets: [.max],
            offsetSize: 8,
            reason: "is outside"
        ),
        Damage(testDescription: "null", objects: [[0x00]], reason: "no value begins with the byte 0x0"),
        Damage(testDescription: "a filler", objects: [[0x0F]], reason: "no value begins"),
        Damage(testDescription: "a set", objects: [[0xC0]], reason: "no value begins"),
        Damage(testDescription: "an integer of 32 bytes", objects: [[0x15]], reason: "no value begins"),
        Damage(testDescription: "a real of 2 bytes", objects: [[0x21, 0, 0]], reason: "no value begins"),
        Damage(testDescription: "a truncated integer", objects: [[0x13, 1, 2]], reason: "beyond the end"),
        Damage(testDescription: "a truncated real", objects: [[0x23, 1]], reason: "beyond the end"),
        Damage(testDescription: "a truncated text", objects: [[0x53, 0x61]], reason: "beyond the end"),
        Damage(testDescription: "a truncated wide text", objects: [[0x61, 0x61]], reason: "beyond the end"),
        Damage(testDescription: "truncated data", objects: [[0x42, 1]], reason: "beyond the end"),
        Damage(testDescription: "a truncated list", objects: [[0xA1]], reason: "beyond the end"),
        Damage(testDescription: "a truncated dictionary", objects: [[0xD1, 0]], reason: "beyond the end"),
        Damage(
            testDescription: "data of 2^64 - 1 bytes",
            objects: [[0x4F, 0x13] + [UInt8](repeating: 0xFF, count: 8)],
            reason: "beyond the end"
        ),
        Damage(
            testDescription: "a list of 2^63 elements",
            objects: [[0xAF, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0]],
            referenceSize: 8,
            reason: "beyond the end"
        ),
        Damage(testDescription: "a string as a length", objects: [[0x4F, 0x50]], reason: "a length is not an integer"),
        Damage(testDescription: "a truncated length", objects: [[0x4F, 0x11, 0]], reason: "beyond the end"),
        Damage(testDescription: "a length at the end", objects: [[0x4F]], reason: "a length is not an integer"),
        Damage(
            testDescription: "an integer of more than 64 bits",
            objects: [[0x14, 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)],
            reason: "more than 64 bits"
        ),
        Damage(
            testDescription: "an integer below the 64-bit minimum",
            objects: [[0x14] + [UInt8](repeating: 0xFF, count: 8) + [0x7F] + [UInt8](repeating: 0, count: 7)],
            reason: "more than 64 bits"
        ),
        Damage(testDescription: "a 40-bit object number", objects: [[0x84, 1, 0, 0, 0, 0]], reason: "32 bits"),
        Damage(testDescription: "a text that is not ASCII", objects: [[0x51, 0x80]], reason: "not Unicode"),
        Damage(testDescription: "half a surrogate pair", objects: [[0x61, 0xD8, 0x00]], reason: "not Unicode"),
        Damage(testDescription: "broken UTF-8", objects: [[0x71, 0xC3]], reason: "not Unicode"),
        Damage(testDescription: "a dangling reference", objects: [[0xA1, 1]], reason: "there is no object 1"),
        Damage(
            testDescription: "a key that is not a string",
            objects: [[0xD1, 1, 1], [0x08]],
            reason: "is not a text"
        ),
        Damage(
            testDescription: "a key that occurs twice",
            objects: [[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x08]],
            reason: "has the key \"a\" twice"
        ),
        Damage(testDescription: "a list inside itself", objects: [[0xA1, 0]], reason: "contains itself"),
        Damage(testDescription: "a dictionary in itself", objects: [[0xD1, 1, 0], [0x50]], reason: "contains itself"),
        Damage(
            testDescription: "lists inside each other",
            objects: [[0xA1, 1], [0xA1, 0]],
            reason: "contains itself"
        ),
        Damage(
            testDescription: "objects that share bytes",
            objects: [[0xA3, 1, 2, 3], [0x4F, 0x10, 0x08] + [UInt8](repeating: 0x44, count: 8)],
            offsets: [8, 12, 15, 16],
            reason: "overlap"
        ),
        Damage(
            testDescription: "lists of ten lists, seven levels deep",
            objects: (0..<7).map { [0xAA] + [UInt8](repeating: $0 + 1, count: 10) } + [[0x08]],
            reason: "more than 1000000 values"
        ),
    ]

    @Test(arguments: damages)
    func damageIsAnError(_ damage: Damage) {
        let error = #expect(throws: DocumentError.self) {
            try PropertyListReader.read(damage.bytes, name: "lamp.hasaccessory")
        }
        #expect(error?.diagnostics.count == 1)
        #expect(
            error?.diagnostics.first?.reason.contains(damage.reason) == true,
            "\(error.map(String.init(describing:)) ?? "")"
        )
        #expect(error?.diagnostics.first?.path.hasPrefix("byte ") == true)
    }

    @Test
    func theUndamagedFileIsRead() throws {
        #expect(try PropertyListReader.read(Damage(testDescription: "", reason: "").bytes, name: "f") == false)
        let shared = Damage(testDescription: "", objects: [[0xA2, 1, 1], [0x08]], reason: "")
        #expect(try PropertyListReader.read(shared.bytes, name: "f") == [false, false])
    }

    /// Returns a file of `count` nested lists, each of which is the only element of the list around it.
    private static func chain(of count: Int) -> [UInt8] {
        let lists = (1..<count).map { [0xA1, UInt8($0 >> 16), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }
        return Damage(testDescription: "", objects: lists + [[0xA0]], offsetSize: 3, referenceSize: 3, reason: "").bytes
    }

    /// Reading half a million levels recursively would exhaust the stack.
    @Test(arguments: [(64, false), (65, true), (66, true), (500_000, true)])
    func nestingIsLimitedToSixtyFourLevels(count: Int, isRefused: Bool) throws {
        let read = { try PropertyListReader.read(Self.chain(of: count), name: "f") }
        if isRefused {
            let error = #expect(throws: DocumentError.self) { try read() }
            #expect(
                error?.diagnostics.first?.reason
                    == "lists and dictionaries are nested more than 64 deep; export the file again"
            )
        } else {
            var list: PropertyList? = try read()
            var depth = 0
            while let elements = list?.array {
                depth += 1
                list = elements.first
            }
            #expect(depth == count)
        }
    }

    @Test
    func everyTruncatedFileIsRefused() {
        let file = BinaryPropertyListWriter.write(["a": [1, "text", .real(0.5), .data([1])], "b": .uid(7)])
        for count in 0..<file.count {
            #expect(throws: DocumentError.self) {
                try PropertyListReader.read(Array(file.prefix(count)), name: "f")
            }
        }
    }

    @Test
    func changedBytesNeverCrashTheReader() {
        let file = BinaryPropertyListWriter.write(["a": [1, "text", .real(0.5), .data([1])], "b": .uid(7)])
        for position in file.indices {
            for value in [0x00, 0x0F, 0x5F, 0xA1, 0xD1, 0xFF] as [UInt8] {
                var damaged = file
                damaged[position] = value
                // The reader may accept or refuse the file, but it must return.
                _ = try? PropertyListReader.read(damaged, name: "f")
            }
        }
    }
}
