import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import PropertyLists
import TestSupport
import Testing

/// Tests archives that are damaged, of another kind, or hostile.
@Suite
struct HostileArchiveTests {
    /// A property list that is not an accessory.
    struct InvalidArchive: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var list: PropertyList
        var path: String
        var reason: String

        init(_ testDescription: String, _ list: PropertyList, path: String, reason: String) {
            self.testDescription = testDescription
            self.list = list
            self.path = path
            self.reason = reason
        }

        /// Returns an archive of these objects.
        static func archive(_ objects: [PropertyList], root: PropertyList) -> PropertyList {
            ["$archiver": "NSKeyedArchiver", "$objects": .array(objects), "$top": ["root": root]]
        }
    }

    static let invalidArchives: [InvalidArchive] = [
        InvalidArchive("not a dictionary", [1], path: "", reason: "not a dictionary"),
        InvalidArchive("not an archive", ["a": 1], path: "$archiver", reason: "not written by NSKeyedArchiver"),
        InvalidArchive("another archiver", ["$archiver": "Other"], path: "$archiver", reason: "not written by"),
        InvalidArchive("no objects", ["$archiver": "NSKeyedArchiver"], path: "$objects", reason: "has no objects"),
        InvalidArchive(
            "empty objects",
            InvalidArchive.archive([], root: .uid(0)),
            path: "$objects",
            reason: "has no objects"
        ),
        InvalidArchive(
            "no root",
            ["$archiver": "NSKeyedArchiver", "$objects": ["$null"]],
            path: "$top.root",
            reason: "does not name its root"
        ),
        InvalidArchive(
            "an empty root",
            InvalidArchive.archive(["$null"], root: .uid(0)),
            path: "root",
            reason: "not a dictionary with an accessory"
        ),
        InvalidArchive(
            "a root beyond the end",
            InvalidArchive.archive(["$null"], root: .uid(.max)),
            path: "root",
            reason: ""
        ),
        InvalidArchive(
            "a root without an accessory",
            InvalidArchive.archive(["$null"], root: ["kind": "accessory"]),
            path: "accessory",
            reason: "no accessory"
        ),
        InvalidArchive(
            "an accessory without services",
            InvalidArchive.archive(
                ["$null", ["$classname": "HAKAccessory"]],
                root: ["accessory": ["$class": .uid(1)]]
            ),
            path: "accessory.services",
            reason: "no services"
        ),
    ]

    @Test(arguments: invalidArchives)
    func archiveWithoutAnAccessoryIsRefused(_ stranger: InvalidArchive) {
        let error = #expect(throws: DocumentError.self) {
            try AccessoryFile.read(BinaryPropertyListWriter.write(stranger.list), name: "f")
        }
        #expect(error?.diagnostics.first?.path == stranger.path)
        #expect(error?.diagnostics.first?.reason.contains(stranger.reason) == true)
    }

    @Test(arguments: [
        "NSArray", "NSDictionary", "NSDecimalNumber", "NSString", "NSData", "NSUUID", "HAKAccessory", "HAKUUID",
        "HAKIdentifier",
    ])
    func selfReferencingObjectTerminates(_ className: String) throws {
        let keys = [
            "NS.objects", "NS.keys", "NS.string", "NS.data", "NS.uuidbytes", "NS.mantissa", "NS.exponent", "NS.length",
            "kind", "version", "accessory", "HAK.services", "HAK.uuid", "HAK.identifier", "HAK.data", "HAK.value",
            "HAK.bridgedAccessories", "HAK.transports", "HAK.linkedServices", "HAK.primary", "HAK.constrains",
        ]
        for isList in [true, false] {
            var fields = PropertyListDictionary()
            for key in keys { fields.append(isList ? [.uid(1)] : .uid(1), forKey: key) }
            fields.append(.uid(2), forKey: "$class")
            let list: PropertyList = [
                "$archiver": "NSKeyedArchiver",
                "$objects": ["$null", .dictionary(fields), ["$classname": .text(className)]],
                "$top": ["root": .uid(1)],
            ]
            _ = try? AccessoryFile.read(BinaryPropertyListWriter.write(list), name: "f")
            // The same object below a valid root.
            let rooted: PropertyList = [
                "$archiver": "NSKeyedArchiver",
                "$objects": ["$null", .dictionary(fields), ["$classname": .text(className)]],
                "$top": ["root": ["accessory": .uid(1)]],
            ]
            _ = try? AccessoryFile.read(BinaryPropertyListWriter.write(rooted), name: "f")
        }
    }

    @Test
    func selfContainingAccessoryTerminates() throws {
        var graph = try ArchiveGraph(AccessoryFile.write(.bridge, as: .archive, name: "f").bytes)
        let bridge = graph.reference(toClass: "HAKAccessory")
        graph.set("HAK.bridgedAccessories", of: "HAKAccessory", to: [bridge, bridge])
        let reading = try AccessoryFile.read(graph.bytes, name: "f")
        #expect(reading.document.accessories.count == 3)
        #expect(reading.warnings.contains { $0.reason.contains("cannot be a bridge") })
    }

    @Test
    func bridgeOfTooManyAccessoriesIsRefused() throws {
        var graph = try ArchiveGraph(AccessoryFile.write(.bridge, as: .archive, name: "f").bytes)
        let accessory = graph.reference(toClass: "HAKAccessory", at: 1)
        for (count, isRefused) in [(149, false), (150, true)] {
            let accessories = PropertyList.array(Array(repeating: accessory, count: count))
            graph.set("HAK.bridgedAccessories", of: "HAKAccessory", to: accessories)
            let reading = try? AccessoryFile.read(graph.bytes, name: "f")
            #expect(reading.map { $0.document.accessories.count } == (isRefused ? nil : 1 + count))
            #expect(reading.map { Set($0.document.accessories.map(\.key)).count } == (isRefused ? nil : 1 + count))
        }
    }

    @Test
    func smallFileWithTooManyReferencesToOneCharacteristicIsRefused() throws {
        var graph = try ArchiveGraph(AccessoryFile.write(.garage, as: .archive, name: "f").bytes)
        let characteristic = graph.reference(toClass: "HAKCharacteristic")
        let characteristics = PropertyList.array(Array(repeating: characteristic, count: 100_000))
        graph.set("HAK.characteristics", of: "HAKService", to: characteristics)
        let error = #expect(throws: DocumentError.self) { try AccessoryFile.read(graph.bytes, name: "f") }
        #expect(error?.diagnostics.first?.reason.contains("contain more than") == true)
    }

    @Test
    func accessoryWithTooManyServicesIsRefused() throws {
        var graph = try ArchiveGraph(AccessoryFile.write(.garage, as: .archive, name: "f").bytes)
        let service = graph.reference(toClass: "HAKService")
        for (count, isRefused) in [(100, false), (101, true)] {
            graph.set("HAK.services", of: "HAKAccessory", to: .array(Array(repeating: service, count: count)))
            let reading = try? AccessoryFile.read(graph.bytes, name: "f")
            #expect((reading == nil) == isRefused)
        }
    }

    @Test
    func longTextReferencedTooOftenIsRefused() throws {
        var graph = try ArchiveGraph(AccessoryFile.write(.garage, as: .archive, name: "f").bytes)
        let text = graph.add(.text(String(repeating: "a", count: 1 << 20)))
        let names = graph.objects(ofClass: "HAKCharacteristic").count
        for position in 0..<names { graph.set("HAK.description", of: "HAKCharacteristic", at: position, to: text) }
        let service = graph.reference(toClass: "HAKService", at: 2)
        graph.set("HAK.services", of: "HAKAccessory", to: .array(Array(repeating: service, count: 100)))
        #expect(throws: DocumentError.self) { try AccessoryFile.read(graph.bytes, name: "f") }
    }

    /// Swift normalizes runs of combining marks before it compares or hashes strings.
    ///
    /// Comparing each of these strings would take minutes.
    @Test
    func textsThatAreSlowToCompareAreReadFast() throws {
        var graph = try ArchiveGraph(AccessoryFile.write(.garage, as: .archive, name: "f").bytes)
        let marks = String(
            decoding: (0..<100_000).flatMap { [0xCC, $0.isMultiple(of: 2) ? 0x80 : 0xA7] },
            as: UTF8.self
        )
        let text = graph.add(.text(marks))
        let className = graph.add(["$classname": text, "$classes": [text]])
        for key in ["HAK.password", "HAK.setupID", "HAK.identifier", "HAK.category"] {
            graph.set(key, of: "HAKAccessory", to: text)
        }
        graph.set("$class", of: "HAKService", at: 1, to: className)
        graph.set(marks, of: "HAKService", at: 1, to: text)
        for position in 0..<8 {
            graph.set("HAK.value", of: "HAKCharacteristic", at: position, to: text)
            graph.set("HAK.description", of: "HAKCharacteristic", at: position, to: text)
        }
        graph.set(1, to: ["kind": text, "version": text, "accessory": graph.reference(toClass: "HAKAccessory")])
        let bytes = graph.bytes
        let time = ThreadTime()
        let reading = try AccessoryFile.read(bytes, name: "f")
        #expect(time.seconds < Self.timeLimit * Double(Slowdown.factor))
        #expect(reading.warnings.contains { $0.reason.contains("is unknown") })
    }

    /// The time limit in seconds, which is longer in debug builds because they are not optimized.
    private static var timeLimit: Double {
        #if DEBUG
        10
        #else
        1
        #endif
    }

    @Test
    func numberOfWarningsIsLimited() throws {
        var graph = try ArchiveGraph(AccessoryFile.write(.garage, as: .archive, name: "f").bytes)
        for number in 0..<1000 { graph.set("HAK.new\(number)", of: "HAKService", to: 1) }
        let warnings = try AccessoryFile.read(graph.bytes, name: "f").warnings
        #expect(warnings.count == 4)
        #expect(warnings.last?.reason.hasPrefix("… and 997 more like it: ") == true)
    }

    @Test
    func aFileThatIsTooLargeIsRefused() {
        let error = #expect(throws: DocumentError.self) {
            try AccessoryFile.read(
                Array("bplist00".utf8) + [UInt8](repeating: 0, count: AccessoryFile.maximumSize),
                name: "f"
            )
        }
        #expect(error?.diagnostics.first?.reason.contains("but the maximum is") == true)
    }

    @Test
    func everyTruncatedFileIsRefused() throws {
        let file = try AccessoryFile.write(.garage, as: .archive, name: "f").bytes
        for count in stride(from: 8, to: file.count, by: 7) {
            #expect(throws: DocumentError.self) { try AccessoryFile.read(Array(file.prefix(count)), name: "f") }
        }
    }
}
