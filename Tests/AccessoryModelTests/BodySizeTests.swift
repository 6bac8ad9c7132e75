import AccessoryModel
import HAPCore
import Testing

/// Tests the maximum size of a database's responses.
///
/// HAP: §11.4, §12
@Suite struct BodySizeTests {
    private static func blob(_ count: Int) -> CharacteristicValue {
        .data([UInt8](repeating: 0xA5, count: count))
    }

    /// Returns an accessory with one characteristic for each size in bytes.
    private static func blobs(_ sizes: [Int], aid: AccessoryID? = nil, key: String = "sample") -> Accessory {
        Sample.accessory(
            sizes.enumerated()
                .map { position, size in
                    Service(
                        .lightbulb,
                        subtype: "\(position)",
                        characteristics: [Sample.characteristic(format: .data, value: blob(size))]
                    )
                },
            key: key,
            aid: aid
        )
    }

    private static func database(_ accessories: Accessory...) throws(ModelError) -> AttributeDatabase {
        var identifiers = IdentifierMap()
        return try AttributeDatabase(accessories, identifiers: &identifiers)
    }

    @Test(
        arguments: [
            true, 0, 9_999, 10_000, -1, .number(.unsigned(.max)), .number(.negative(.min)), 0.1,
            -1.234567890123456e-300, "", "text", .string("\u{1}\"\\\n\u{1F600}é"), blob(0), blob(1), blob(2), blob(3),
        ] as [CharacteristicValue]
    )
    func sizeOfAValueIsAtLeastThatOfItsJSON(value: CharacteristicValue) {
        var writer = JSONWriter()
        writer.value(value, of: .data)
        let size = value.maximumJSONSize
        #expect(writer.bytes.count <= size && size <= 6 * writer.bytes.count + 26)
    }

    @Test func theBodyIsNoLargerThanItsBound() throws {
        var database = try Self.database(Self.blobs([0, 10, 5_000]), Self.blobs([1], key: "other"))
        for isAdmin in [true, false] {
            let size = database.accessoriesBody(isAdmin: isAdmin).count
            #expect(size <= database.bodySize && database.bodySize < size + 1_000)
        }
        var changes = ChangeSet()
        let index = try #require(database.index(of: Sample.first, in: .primary))
        for size in [100_000, 1] {
            #expect(database.setValue(Self.blob(size), at: index, into: &changes) == true)
            let count = database.accessoriesBody(isAdmin: true).count
            #expect(count <= database.bodySize && database.bodySize < count + 1_000)
        }
    }

    @Test func databaseLargerThanAResponseIsRefusedWithItsSize() throws {
        _ = try Self.database(Self.blobs(Array(repeating: 2 << 20, count: 5)))
        let error = #expect(throws: ModelError.self) {
            try Self.database(Self.blobs(Array(repeating: 2 << 20, count: 6)))
        }
        #expect(error?.code == .tooMany)
        let figure = try #require(error?.reason.split(separator: " ").compactMap { Int($0) }.first)
        #expect(figure > 6 * (2 << 20) / 3 * 4)
        #expect(error?.reason.contains("16777216") == true)
    }

    @Test func valueLargerThanAResponseIsRefusedWithItsSize() throws {
        let text = Characteristic(
            type: Sample.first,
            permissions: .read,
            metadata: CharacteristicMetadata(format: .string, maximumLength: 4 << 20),
            value: .string(String(repeating: "x", count: 4 << 20))
        )
        let error = #expect(throws: ModelError.self) { try Sample.database(text) }
        #expect(error?.path == "sample/Light Bulb/\(Sample.first)")
        #expect(error?.reason.contains("\(4 << 20 + 2) bytes") == true)
    }

    @Test func valueThatDoesNotFitIsRefused() throws {
        var database = try Self.database(Self.blobs(Array(repeating: 2 << 20, count: 5) + [0, 0]))
        let places = database.characteristics.indices.filter { database.characteristics[$0].type == Sample.first }
        let (sixth, seventh) = (places[5], places[6])
        var changes = ChangeSet()
        #expect(database.setValue(Self.blob(2_097_152), at: sixth, into: &changes) == false)
        #expect(changes.isEmpty)
        // There is room for either value, but not for both.
        let writes = [sixth, seventh].map { AcceptedWrite(index: $0, value: Self.blob(1_500_000)) }
        let refusals = database.commit(writes, at: MonotonicInstant(nanoseconds: 0), into: &changes)
        #expect(refusals == [seventh: .outOfResources])
        #expect(database.value(at: sixth) == Self.blob(1_500_000))
        #expect(database.value(at: seventh) == Self.blob(0))
        #expect(database.bodySize <= AttributeDatabase.maximumBodyBytes)
        // A shorter value makes room for others.
        #expect(database.setValue(Self.blob(0), at: places[0], into: &changes) == true)
        #expect(database.setValue(Self.blob(1_500_000), at: seventh, into: &changes) == true)
    }

    @Test func behaviorReceivesNoWriteThatDoesNotFit() throws {
        var accessory = Self.blobs(Array(repeating: 2 << 20, count: 5))
        let characteristics = [Sample.first, Sample.second]
            .map { Sample.characteristic($0, format: .data, value: Self.blob(0)) }
        accessory.services.append(
            Service(.switch, characteristics: characteristics, behavior: RecordingBehavior())
        )
        var database = try Self.database(accessory)
        let second = try #require(database.index(of: Sample.second, in: .primary))
        let first = second - 1
        // There is room for either value, but not for both.
        let writes = [first, second].map { AcceptedWrite(index: $0, value: Self.blob(1_500_000)) }
        var changes = ChangeSet()
        let refusals = database.commit(writes, at: MonotonicInstant(nanoseconds: 0), into: &changes)
        #expect(refusals == [second: .outOfResources])
        let service = database.characteristics[first].service
        let behavior = try #require(database.services[service].behavior as? RecordingBehavior)
        #expect(behavior.writes == [[BehaviorChange(Sample.first, Self.blob(1_500_000))]])
        #expect(database.bodySize <= AttributeDatabase.maximumBodyBytes)
    }

    @Test func accessoriesAreRenderedInShortTurns() throws {
        let size = 100_000
        // Rendering may pause in the middle of an accessory.
        let accessories = (1...2).map { Self.blobs(Array(repeating: size, count: 10), key: "\($0)") }
        var identifiers = IdentifierMap()
        var database = try AttributeDatabase(accessories, identifiers: &identifiers)
        var turns = 1
        while !database.renderAccessories(isAdmin: true, upTo: 256 << 10) {
            turns += 1
        }
        #expect(turns == 10)
        let body = try JSONValue(parsing: database.accessoriesBody(isAdmin: true))
        #expect(body.object?["accessories"]?.array?.count == 2)
        #expect(database.renderAccessories(isAdmin: true, upTo: 0) == true)
    }
}
