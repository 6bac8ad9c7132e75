import AccessoryFiles
import AccessoryModel
import FuzzHarness
import HAPCore
import TestSupport

/// Answers to `GET /accessories`: what is read can be served, is served as it was dumped, and is written and read again as
/// the same.
enum DumpTarget: FuzzTarget {
    static let name = "dump"

    static var seeds: [String: [UInt8]] {
        let texts = [
            "lamp": #"""
            {"accessories":[{"aid":1,"services":[{"iid":1,"type":"3E","characteristics":[{"iid":2,"type":"23",\#
            "perms":["pr"],"format":"string","maxLen":64,"value":"Lamp"}]},{"iid":7,"type":"43","primary":true,\#
            "linked":[1],"characteristics":[{"iid":8,"type":"25","perms":["pr","pw","ev"],"format":"bool","ev":true,\#
            "value":true},{"iid":9,"type":"8","perms":["pr","pw"],"format":"int","unit":"percentage","minValue":0,\#
            "maxValue":100,"minStep":1,"value":101.5}]}]}]}
            """#,
            "list": #"""
            [{"aid":9007199254740991,"services":[{"iid":5,"type":"000000cb-0000-1000-8000-0026bb765291","hidden":0,\#
            "characteristics":[{"iid":6,"type":"73","perms":["ev","pr"],"format":"uint8","valid-values":[2,0],\#
            "valid-values-range":[[0,2]],"value":null}]}]},{"aid":2,"services":[]}]
            """#,
            "vendor": #"""
            [{"aid":1,"services":[{"iid":20,"type":"151909d2-3802-11e4-916c-0800200c9a66","characteristics":[\#
            {"iid":21,"type":"151909D3-3802-11E4-916C-0800200C9A66","perms":["pr","pw"],"format":"tlv8","value":"AAE"},\#
            {"iid":22,"type":"1","perms":["pr","nfc"],"format":"data","maxLen":8,"maxDataLen":9,"value":"AQID"},\#
            {"iid":23,"type":"2","perms":[],"format":"double","minValue":"low","unit":"ppm","value":21.600000381}]}]}]
            """#,
            "incomplete": #"""
            [{"aid":1,"services":[{"type":"3E","characteristics":[{"type":"23","value":"Lamp"},7]},{"iid":20,"type":"41"}]},\#
            {"services":[{"type":"41","linked":["a",20],"odd":1,"characteristics":[{"iid":9,"type":"25","value":false}]}]},7]
            """#,
            "twice": #"[{"aid":1,"services":[{"iid":1,"type":"3E"},{"iid":1,"type":"43"}]},{"aid":1,"services":[]}]"#,
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    static func run(_ input: [UInt8]) {
        guard AccessoryFile.kind(of: input) == .dump else { return }
        let reading: AccessoryFileReading
        switch outcome({ () throws(AccessoryFileError) in try read(input) }) {
        case .success(let value): reading = value
        case .failure(let error):
            return claim(error.findings.contains { $0.severity == .error }, "a refusal says why")
        }
        claim(reading.warnings.allSatisfy { $0.severity == .warning }, "what is read has no errors")
        claim(reading.document.isVerbatim, "a dump is not corrected")
        let served = served(reading.document)
        if reading.warnings.isEmpty {
            claim(comparable(served) == comparable(input), "what nothing was odd in is served as it was dumped")
        }
        checkThatItIsKept(reading.document, in: served)
        guard let written = try? AccessoryFile.write(reading.document, as: .dump, name: "f.json") else {
            fatalError("does not hold: what is read can be written")
        }
        claim(written.losses.isEmpty, "nothing is lost: \(written.losses)")
        checkThatItIsKept(reading.document, in: written.bytes)
    }

    private static func read(_ bytes: [UInt8]) throws(AccessoryFileError) -> AccessoryFileReading {
        try AccessoryFile.read(bytes, name: "f.json")
    }

    private static func checkThatItIsKept(_ document: AccessoryDocument, in dump: [UInt8]) {
        guard let again = try? read(dump) else { fatalError("does not hold: what is served is a dump") }
        claim(again.document == document, "a dump is read as it is written")
    }

    private static func served(_ document: AccessoryDocument) -> [UInt8] {
        var identifiers = IdentifierMap()
        let accessories = document.declaration(isSimulated: false)
        let database = outcome { () throws(ModelError) in
            try AttributeDatabase(accessories, identifiers: &identifiers, isVerbatim: true)
        }
        switch database {
        case .success(var database): return database.accessoriesBody(isAdmin: true)
        case .failure(let error): fatalError("does not hold: what is read can be served: \(error)")
        }
    }

    private static func comparable(_ bytes: [UInt8]) -> [JSONValue] {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        return (try? JSONValue(parsing: text))?.accessoriesForComparison() ?? []
    }
}
