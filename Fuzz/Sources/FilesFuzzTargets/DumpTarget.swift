import AccessoryFiles
import AccessoryModel
import Documents
import FuzzHarness

/// Dumps of `/accessories`: a document that was read can be served verbatim, and is the same after writing and reading.
enum DumpTarget: FuzzTarget {
    static let name = "dump"

    static var seeds: [String: [UInt8]] {
        let texts = [
            "lamp": """
            [{"aid":1,"services":[{"iid":1,"type":"3E","characteristics":[{"iid":2,"type":"23","perms":["pr"],
            "format":"string","value":"Lamp"}]},{"iid":8,"type":"43","primary":true,"linked":[1],"characteristics":[
            {"iid":9,"type":"00000025-0000-1000-8000-0026BB765291","perms":["pr","pw","ev"],"format":"bool","value":1},
            {"iid":10,"type":"8","perms":["pr","pw","ev"],"format":"int","value":50,"minValue":0,"maxValue":100,
            "minStep":1,"unit":"percentage"}]}]}]
            """,
            "bridge": """
            {"accessories":[{"aid":1,"services":[{"iid":1,"type":"3E","characteristics":[]}]},
            {"aid":2,"services":[{"iid":1,"type":"3E","characteristics":[{"iid":2,"type":"23","value":"A"}]}]},
            {"aid":7,"services":[{"iid":1,"type":"3E","characteristics":[{"iid":2,"type":"23","value":"A"}]}]}]}
            """,
            "odd": """
            [{"aid":1,"services":[{"iid":1,"type":"3E","x":1,"hidden":1,"characteristics":[
            {"iid":2,"type":"23","format":"text","perms":["pr","xx"],"value":[1],"unit":"lumen"},
            {"iid":3,"type":"7E536242-341C-4862-BE90-272CE15BD633","value":1e300,"minValue":"a","ev":true},
            {"iid":4,"type":"25","value":null,"valid-values":[0,1,2],"valid-values-range":[0,9],"maxLen":9,
            "maxDataLen":9,"enc":true,"description":"d","broadcast_events":false}]}]}]
            """,
            "without-ids":
                #"[{"services":[{"type":"43","characteristics":[{"type":"25"},{"type":"8","value":0.5}]}]}]"#,
            "twice":
                #"[{"aid":1,"services":[{"iid":1,"type":"43","characteristics":[{"iid":1,"type":"25"}]}]},{"aid":1}]"#,
            "large-ids": #"[{"aid":18446744073709551615,"services":[{"iid":9007199254740991,"type":"43"}]}]"#,
            "empty": #"{"accessories":[]}"#,
            "shared-ids": """
            [{"aid":1,"services":[{"iid":1,"type":"3E","linked":["1"],"characteristics":[{"iid":1,"type":"23","value":"A"},
            {"iid":1,"type":"20"}]},{"iid":1,"type":"34AB8811AC7F4340BAC3FD6A85F9943B","characteristics":[]}]},{"aid":1}]
            """,
            "shapes": """
            {"aid":"1","services":{"1":{"type":"3e","characteristics":{"type":"34AB8811AC7F4340BAC3FD6A85F9943B",
            "iid":"2","perms":"pr","format":"STRING","value":5,"minValue":"2","valid-values":["1"],"unit":"Lux"}}}}
            """,
            "map": """
            {"key":"homekit_controller-entity-map","data":{"pairings":{"AA:BB:CC:00:00:01":{"config_num":1,"accessories":
            [{"aid":1,"services":[{"iid":1,"type":"3E","characteristics":[]}]}]}}}}
            """,
            "maps": #"{"A":{"accessories":[{"aid":1,"services":[]}]},"B":{"accessories":[{"aid":1}]}}"#,
            "diagnostics": """
            {"data":{"entity-map":[{"aid":1,"services":[{"iid":1,"type":"3E","characteristics":[]}]}]}}
            """,
            "homebridge": #"[{"plugin":"a","UUID":"b","services":[{"UUID":"3E","constructorName":"A"}]}]"#,
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    static func run(_ input: [UInt8]) {
        let reading: AccessoryFileContents
        switch outcome({ () throws(DocumentError) in try read(input) }) {
        case .failure(let error):
            claim(error.diagnostics.contains { $0.severity == .error }, "a refusal says why")
            return
        case .success(let value): reading = value
        }
        guard reading.kind == .dump else { return }
        claim(reading.warnings.allSatisfy { $0.severity == .warning }, "what is read has no errors")
        claim(reading.document.isVerbatim, "a dump is served as it stands")
        checkThatItCanBeServed(reading.document)
        guard let written = try? AccessoryFile.write(reading.document, as: .dump, name: "f.json") else {
            fatalError("does not hold: what is read can be written")
        }
        // A dump of a single device cannot contain the device's `id`, which files with several devices have.
        claim(written.losses.allSatisfy { $0.path == "id" }, "nothing but the id is lost: \(written.losses)")
        guard let again = try? read(written.bytes) else { fatalError("does not hold: what is written can be read") }
        claim(again.kind == .dump, "a dump is written as one")
        if written.losses.isEmpty {
            claim(again.document == reading.document, "a dump is read as it is written")
        } else {
            // Without an id and a name of its own, a device gets the name of the file. Everything else is the same.
            let (before, after) = (reading.document.accessories, again.document.accessories)
            claim(after.map(\.aid) == before.map(\.aid), "the accessories are read as they are written")
            claim(after.map(\.services) == before.map(\.services), "the services are read as they are written")
        }
        let twice = try? AccessoryFile.write(again.document, as: .dump, name: "f.json").bytes
        claim(twice == written.bytes, "a dump is written as before")
    }

    private static func read(_ bytes: [UInt8]) throws(DocumentError) -> AccessoryFileContents {
        try AccessoryFile.read(bytes, name: "f.json")
    }

    private static func checkThatItCanBeServed(_ document: AccessoryDocument) {
        var identifiers = IdentifierMap()
        let accessories = document.makeAccessories(isSimulated: false)
        switch outcome({ () throws(ModelError) in
            try AttributeDatabase(accessories, identifiers: &identifiers, isVerbatim: true)
        }) {
        case .success: break
        case .failure(let error): fatalError("does not hold: what is read can be served: \(error)")
        }
    }
}
