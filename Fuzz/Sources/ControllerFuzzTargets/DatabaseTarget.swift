import AccessoryModel
import FuzzHarness
import HAPController
import HAPCore

/// The database of an accessory and its values: everything that is decoded can be requested again.
enum DatabaseTarget: FuzzTarget {
    static let name = "database"

    static var seeds: [String: [UInt8]] {
        let texts = [
            "lamp": """
            {"accessories":[{"aid":1,"services":[{"iid":1,"type":"3E","characteristics":[{"iid":2,"type":"23","perms":
            ["pr"],"format":"string","value":"Lamp","maxLen":64}]},{"iid":8,"type":"43","primary":true,"linked":[1],
            "characteristics":[{"iid":9,"type":"25","perms":["pr","pw","ev","tw"],"format":"bool","value":1},
            {"iid":10,"type":"8","perms":["pr","pw","ev"],"format":"int","value":50,"minValue":0,"maxValue":100,
            "minStep":1,"unit":"percentage","valid-values":[0,50,100],"valid-values-range":[0,100]}]}]}]}
            """,
            "odd": """
            [{"aid":"1","services":[{"iid":1,"type":"0000003E-0000-1000-8000-0026BB765291","hidden":1,"characteristics":[
            {"iid":2,"type":"23","format":"text","perms":["pr","xx"],"value":[1]},{"iid":2,"type":"23"},
            {"iid":3,"type":"7E536242-341C-4862-BE90-272CE15BD633","value":1e300,"minValue":"a","description":7},
            {"iid":4,"type":"25","value":"true"},{"iid":5,"type":"8","value":"50"},{"iid":6,"type":"4E","value":"AQ"}]}]}]
            """,
            "shapes": """
            {"data":{"accessories":{"7":{"services":{"1":{"type":"34AB8811AC7F4340BAC3FD6A85F9943B","characteristics":{
            "iid":"1","type":"25","perms":"pr,pw","format":"BOOL","minValue":"1"}}}}}}}
            """,
            "bridge": #"{"accessories":[{"aid":1,"services":[]},{"aid":2},{"aid":2},{"aid":0},{"services":[]},7]}"#,
            "answer": #"{"characteristics":[{"aid":1,"iid":9,"value":1},{"aid":1,"iid":9,"status":-70402},{"aid":2}]}"#,
            "status": #"{"status":-70401,"characteristics":null}"#,
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    static func run(_ input: [UInt8]) {
        checkAnswer(input)
        guard let database = try? RemoteDatabase.read(input) else { return }
        claim(Set(database.map(\.aid)).count == database.count, "accessories differ in their numbers")
        for accessory in database {
            let numbers = accessory.services.flatMap(\.characteristics).map(\.iid)
            claim(Set(numbers).count == numbers.count, "characteristics differ in their numbers")
        }
        // The limit prevents quadratic time for a small input.
        for found in CharacteristicPath.all(in: database).prefix(8) {
            let path = "\(found.id.aid).\(found.id.iid)"
            switch outcome({ try CharacteristicPath.resolve(path, in: database) }) {
            case .success(let again): claim(again.id == found.id, "a number is that of one characteristic")
            case .failure(let error): fatalError("does not hold: a number is found: \(error)")
            }
            if let value = found.characteristic.value {
                claim(!found.characteristic.text(of: value).isEmpty || value == .string(""), "a value has a text")
            }
        }
    }

    /// Checks a response to a read, or an event: every value is decoded or rejected without a trap.
    private static func checkAnswer(_ body: [UInt8]) {
        guard let response = try? CharacteristicResponse(parsing: body) else { return }
        for item in response.items {
            guard let json = item.value else { continue }
            for format in CharacteristicFormat.allCases {
                let characteristic = RemoteCharacteristic(
                    iid: .accessoryInformation,
                    .init(type: .on, permissions: .read, metadata: CharacteristicMetadata(format: format))
                )
                let value = characteristic.value(from: json)
                claim(json != .null || value == nil, "null is no value")
                if let value {
                    _ = characteristic.text(of: value)
                }
            }
        }
    }
}
