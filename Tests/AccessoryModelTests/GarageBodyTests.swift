import AccessoryModel
import HAPCore
import Simulation
import Testing

/// Tests the response to `GET /accessories` for the Kilgo garage and for special values.
///
/// HAP: §11.4, §11.5
@Suite struct GarageBodyTests {
    private func database(_ accessory: Accessory = KilgoGarage.accessory()) throws -> AttributeDatabase {
        var identifiers = IdentifierMap()
        return try AttributeDatabase([accessory], identifiers: &identifiers)
    }

    private func services(_ database: inout AttributeDatabase, isAdmin: Bool = true) throws -> [JSONObject] {
        let body = try JSONValue(parsing: database.accessoriesBody(isAdmin: isAdmin))
        let accessory = try #require(body.object?["accessories"]?.array?.first?.object)
        #expect(accessory["aid"] == 1)
        return try #require(accessory["services"]?.array).compactMap(\.object)
    }

    private func characteristics(of service: JSONObject) -> [JSONObject] {
        service["characteristics"]?.array?.compactMap(\.object) ?? []
    }

    @Test func garageHasInformationProtocolDoorAndLight() throws {
        var database = try database()
        let services = try services(&database)
        #expect(services.map { $0["type"] } == ["3E", "A2", "41", "43"])
        #expect(services.map { $0["iid"] } == [1, 8, 10, 17])
        #expect(services.map { $0["primary"] } == [false, false, true, false])
        #expect(services.allSatisfy { $0["hidden"] == false && $0["linked"] == [] })
        #expect(
            services.map { characteristics(of: $0).map { $0["type"] } } == [
                ["14", "20", "21", "23", "30", "52"], ["37"], ["23", "E", "32", "24", "1D", "1E"],
                ["23", "25", "8", "13", "2F", "7E536242-341C-4862-BE90-272CE15BD633"],
            ]
        )
    }

    @Test(arguments: [
        (0, #"{"iid":2,"type":"14","perms":["pw"],"format":"bool"}"#),
        (0, #"{"iid":3,"type":"20","perms":["pr"],"value":"Kilgo Devices, Inc.","format":"string","maxLen":64}"#),
        (0, #"{"iid":5,"type":"23","perms":["pr"],"value":"Kilgo Garage","format":"string","maxLen":64}"#),
        (1, #"{"iid":9,"type":"37","perms":["pr"],"value":"1.1.0","format":"string","maxLen":64}"#),
        (2, #"{"iid":11,"type":"23","perms":["pr"],"value":"Garage Door","format":"string","maxLen":64}"#),
        (2, #"{"iid":12,"type":"E","perms":["pr","ev"],"value":1,"format":"uint8","maxValue":4,"minStep":1}"#),
        (2, #"{"iid":13,"type":"32","perms":["pr","pw","ev"],"value":1,"format":"uint8","maxValue":1,"minStep":1}"#),
        (2, #"{"iid":14,"type":"24","perms":["pr","ev"],"value":0,"format":"bool"}"#),
        (2, #"{"iid":15,"type":"1D","perms":["pr","ev"],"value":0,"format":"uint8","maxValue":3,"minStep":1}"#),
        (2, #"{"iid":16,"type":"1E","perms":["pr","pw","ev"],"value":0,"format":"uint8","maxValue":1,"minStep":1}"#),
        (3, #"{"iid":19,"type":"25","perms":["pr","pw","ev"],"value":0,"format":"bool"}"#),
        (
            3,
            #"{"iid":20,"type":"8","perms":["pr","pw","ev"],"value":100,"format":"int","unit":"percentage","#
                + #""minValue":0,"maxValue":100,"minStep":1}"#
        ),
        (
            3,
            #"{"iid":21,"type":"13","perms":["pr","pw","ev"],"value":0,"format":"float","unit":"arcdegrees","#
                + #""minValue":0,"maxValue":360,"minStep":1}"#
        ),
        (
            3,
            #"{"iid":22,"type":"2F","perms":["pr","pw","ev"],"value":0,"format":"float","unit":"percentage","#
                + #""minValue":0,"maxValue":100,"minStep":1}"#
        ),
        (
            3,
            #"{"iid":23,"type":"7E536242-341C-4862-BE90-272CE15BD633","perms":["pr","pw","ev"],"value":1,"#
                + #""format":"float","description":"Fade Rate","unit":"seconds","minValue":0,"maxValue":10,"minStep":0.5}"#
        ),
    ])
    func characteristicsAreRenderedAsExpected(service: Int, text: String) throws {
        var database = try database()
        let expected = try #require(try JSONValue(parsing: Array(text.utf8)).object)
        let shown = characteristics(of: try services(&database)[service]).first { $0["iid"] == expected["iid"] }
        #expect(shown == expected)
    }

    @Test func subsetOfAppleValidValuesIsShownButNotTheFullSet() throws {
        var current = Characteristic(cataloged: .currentDoorState, value: 1)
        var database = try Sample.database(current)
        #expect(characteristics(of: try services(&database)[1])[0]["valid-values"] == nil)
        current.metadata.validValues = [0, 1]
        database = try Sample.database(current)
        #expect(characteristics(of: try services(&database)[1])[0]["valid-values"] == [0, 1])
    }

    @Test func limitsOfTheFormatItselfAreLeftOut() throws {
        let wide = Characteristic(
            type: Sample.first,
            permissions: [.read],
            metadata: .init(format: .int, minimum: -2_147_483_648, maximum: 2_147_483_647),
            value: 1
        )
        let unsigned = Characteristic(
            type: Sample.second,
            permissions: [.read],
            metadata: .init(format: .uint64, minimum: 1, maximum: .init(UInt64.max)),
            value: .integer(UInt64.max)
        )
        var database = try Sample.database(wide, unsigned)
        let shown = characteristics(of: try services(&database)[1])
        #expect(shown[0]["minValue"] == nil)
        #expect(shown[0]["maxValue"] == nil)
        #expect(shown[1]["minValue"] == 1)
        #expect(shown[1]["maxValue"] == nil)
        #expect(shown[1]["value"]?.unsigned == .max)
    }

    @Test func theBodyShowsTheLatestValues() throws {
        var database = try database()
        let first = database.accessoriesBody(isAdmin: true)
        #expect(database.accessoriesBody(isAdmin: true) == first)
        #expect(database.accessoriesBody(isAdmin: false) == first)
        var changes = ChangeSet()
        let door = database.position(of: .currentDoorState)
        #expect(database.setValue(2, at: door, into: &changes))
        #expect(characteristics(of: try services(&database)[2])[1]["value"] == 2)
        let brightness = database.position(of: .brightness)
        _ = database.commit([AcceptedWrite(index: brightness, value: 7)], at: .zero, into: &changes)
        #expect(characteristics(of: try services(&database)[3])[2]["value"] == 7)
        database.restore([database.characteristics[brightness].id: 8])
        #expect(characteristics(of: try services(&database)[3])[2]["value"] == 8)
    }

    @Test func changeOfOneAccessoryLeavesTheOthersUnchanged() throws {
        var identifiers = IdentifierMap()
        let accessories = ["a", "b"].map { Sample.accessory([Sample.light()], key: $0) }
        var database = try AttributeDatabase(accessories, identifiers: &identifiers)
        _ = database.accessoriesBody(isAdmin: true)
        let second = try #require(AccessoryID(2))
        let index = try #require(database.index(of: .hue, in: second))
        var changes = ChangeSet()
        #expect(database.setValue(9, at: index, into: &changes))
        var fresh = database
        fresh.invalidateRendering()
        #expect(database.accessoriesBody(isAdmin: true) == fresh.accessoriesBody(isAdmin: true))
        let body = try JSONValue(parsing: database.accessoriesBody(isAdmin: true))
        #expect(body.object?["accessories"]?.array?.count == 2)
    }

    @Test func adminOnlyValuesAreNullForOthers() throws {
        var database = try Sample.database(
            Sample.characteristic(adminOnly: [.read], value: 7),
            Sample.characteristic(Sample.second, [.read], format: .tlv8, adminOnly: [.read], value: .data([1]))
        )
        let hidden = characteristics(of: try services(&database, isAdmin: false)[1])
        #expect(hidden.map { $0["value"] } == [.null, ""])
        let shown = characteristics(of: try services(&database, isAdmin: true)[1])
        #expect(shown.map { $0["value"] } == [7, "AQ=="])
        #expect(characteristics(of: try services(&database, isAdmin: false)[1]) == hidden)
    }

    @Test func missingValueIsNullAndTLVIsEmptyAndWriteOnlyHasNone() throws {
        var database = try Sample.database(
            Sample.characteristic(Sample.first, [.read], format: .tlv8),
            Sample.characteristic(Sample.second, [.write]),
            Characteristic(cataloged: .programmableSwitchEvent),
            Characteristic(cataloged: .brightness)
        )
        let shown = characteristics(of: try services(&database)[1])
        #expect(shown.map { $0["value"] } == ["", nil, .null, .null])
    }
}

extension AttributeDatabase {
    /// Discards the rendered responses by setting every value again.
    fileprivate mutating func invalidateRendering() {
        var changes = ChangeSet()
        for index in characteristics.indices {
            let value = value(at: index)
            guard value != nil else { continue }
            _ = setValue(nil, at: index, into: &changes)
            _ = setValue(value, at: index, into: &changes)
        }
    }
}
