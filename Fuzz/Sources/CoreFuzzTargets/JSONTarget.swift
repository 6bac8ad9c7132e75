import FuzzHarness
import HAPCore

/// JSON: a value that was read is the same after writing and reading, within the limits.
enum JSONTarget: FuzzTarget {
    static let name = "json"

    static var seeds: [String: [UInt8]] {
        var texts = [
            "numbers":
                "[0,-0,1.0,-1,1e3,1E-3,0.1,18446744073709551615,-9223372036854775808,1e19,1.5e300,123456.789e-5]",
            "strings": #"["","\"\\\/\b\f\n\r\t","\u00e9\ud83d\ude00","é😀","\u0000"]"#,
            "words": "[true,false,null,{},[],[[[]]]]",
            "object": #" { "a" : { "b" : [ 1 , 2 ] } , "c" : "" , "d" : null } "#,
            "write": String(decoding: RequestSeeds.requests["write"]?.body ?? [], as: UTF8.self),
            "many-keys": #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":1,"k":1,"l":1,"m":1,"n":1,"#
                + #""o":1,"p":1,"q":1,"r":1,"s":1}"#,
        ]
        let controls = (UInt8(0)..<0x20)
            .map { $0 < 0x10 ? "\\u000\(String($0, radix: 16))" : "\\u001\(String($0 & 0xF, radix: 16))" }
        texts["controls"] = "\"\(controls.joined())\""
        return texts.mapValues { [32] + Array($0.utf8) }
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let depth = Int(source.byte() % 64)
        let text = source.remainder()
        let limits = JSONLimits(maximumDepth: depth, maximumValues: 200)
        guard let value = try? JSONValue(parsing: text, limits: limits) else { return }
        claim(Self.depth(of: value) <= depth, "nothing is nested deeper than the limit")
        claim(count(of: value) <= limits.maximumValues, "there are no more values than the limit")
        let written = value.encoded
        // An escape of six bytes may replace a character, and a number may become longer than its form with an
        // exponent.
        claim(written.count <= 24 * text.count, "a text does not grow beyond measure")
        guard let again = try? JSONValue(parsing: written, limits: limits) else {
            fatalError("does not hold: what is written can be read")
        }
        claim(again == value, "a value is read as it is written")
        claim(again.encoded == written, "a value is written as before")
        var hashers = (Hasher(), Hasher())
        value.hash(into: &hashers.0)
        again.hash(into: &hashers.1)
        claim(hashers.0.finalize() == hashers.1.finalize(), "equal values have equal hashes")
    }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .null, .bool, .number, .string: 0
        case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let object): 1 + (object.members.map { depth(of: $0.value) }.max() ?? 0)
        }
    }

    private static func count(of value: JSONValue) -> Int {
        switch value {
        case .null, .bool, .number, .string: 1
        case .array(let elements): elements.reduce(1) { $0 + count(of: $1) }
        case .object(let object): object.members.reduce(1) { $0 + count(of: $1.value) }
        }
    }
}
