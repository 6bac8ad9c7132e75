import Foundation
import Testing

@testable import CatalogGenerator

/// Tests how the tool reads its input and generates Swift code.
@Suite struct CatalogRenderingTests {
    @Test(arguments: [
        ("CurrentDoorState", "currentDoorState"), ("ADKVersion", "adkVersion"), ("IsConfigured", "isConfigured"),
        ("On", "on"), ("PM2_5Density", "pm25Density"), ("PM10Density", "pm10Density"), ("VOCDensity", "vocDensity"),
        ("WiFiCapabilities", "wiFiCapabilities"), ("Fanv2", "fanv2"), ("A", "a"), ("AB", "ab"), ("ABc", "aBc"),
        ("", ""),
    ])
    func anIdBecomesLowerCamelCase(id: String, name: String) {
        #expect(SwiftName.lowerCamel(id) == name)
    }

    @Test func aReservedWordIsEscapedWhereItIsDeclared() {
        #expect(SwiftName.declaration("switch") == "`switch`")
        #expect(SwiftName.declaration("on") == "on")
    }

    @Test(arguments: [
        ("0", "0"), ("-270", "-270"), ("1000", "1000"), ("100000", "100_000"), ("4294967295", "4_294_967_295"),
        ("-1234567", "-1_234_567"), ("0.1", "0.1"), ("0.0001", "0.0001"), ("-273.1", "-273.1"), ("1.0", "1"),
        ("9223372036854775807", "9_223_372_036_854_775_807"),
    ])
    func aNumberIsWrittenExactly(text: String, literal: String) throws {
        let number = try JSONDecoder().decode(InputNumber.self, from: Data(text.utf8))
        #expect(number.description == literal)
    }

    @Test(arguments: ["18446744073709551616", "1e300", "\"1\"", "true", "null"])
    func inexactNumberIsRefused(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(InputNumber.self, from: Data(text.utf8))
        }
    }

    @Test func aUUIDBecomesTheShortestLiteral() throws {
        let apple = try TypeLiteral(uuid: "0000024B-0000-1000-8000-0026BB765291", at: "test")
        #expect(apple.short == "24B")
        #expect(apple.arguments == "apple: 0x0000_024B")
        let other = try TypeLiteral(uuid: "7E536242-341C-4862-BE90-272CE15BD633", at: "test")
        #expect(other.short == nil)
        #expect(other.arguments == "HAPUUID(high: 0x7E53_6242_341C_4862, low: 0xBE90_272C_E15B_D633)")
    }

    @Test(arguments: [
        "", "24B", "0000024b-0000-1000-8000-0026bb765291", "0000024B-0000-1000-8000-0026BB76529",
        "0000024B00001000800000026BB765291", "0000024G-0000-1000-8000-0026BB765291",
    ])
    func invalidUUIDIsRefused(text: String) {
        #expect(throws: CatalogError.self) { try TypeLiteral(uuid: text, at: "test") }
    }

    @Test func aStringIsEscaped() {
        #expect(SwiftExpression.string(#"a "b" \c"#).inline == #""a \"b\" \\c""#)
    }

    @Test(arguments: [(120, false), (121, true)])
    func aLineBreaksAfter120Columns(width: Int, breaks: Bool) {
        let expression = SwiftExpression.array([.text(String(repeating: "x", count: 50)), .text("y")])
        let used = width - expression.inline.count
        #expect(expression.rendered(indentation: 4, used: used).contains("\n") == breaks)
    }

    @Test(arguments: Patch.catalog)
    func patchAppliesOnceAndIsRefusedTwice(patch: Patch) throws {
        let input = CatalogInput(
            characteristics: try ["IsConfigured", "ActiveIdentifier", "CurrentTemperature", "PairingFeatures"]
                .map(entry),
            services: []
        )
        let patched = try input.applying([patch])
        #expect(patched != input)
        #expect { try patched.applying([patch]) } throws: { ($0 as? CatalogError)?.code == .unusedPatch }
        #expect { try CatalogInput(characteristics: [], services: []).applying([patch]) } throws: {
            ($0 as? CatalogError)?.code == .unresolved
        }
    }

    @Test func duplicateIDIsRefused() throws {
        let input = CatalogInput(characteristics: [try entry("On"), try entry("On")], services: [])
        #expect { try input.check() } throws: { ($0 as? CatalogError)?.code == .duplicate }
    }

    @Test func duplicateUUIDIsRefused() throws {
        let input = CatalogInput(characteristics: [try entry("On"), try entry("Off")], services: [])
        #expect { try input.check() } throws: { ($0 as? CatalogError)?.code == .duplicate }
    }

    @Test func aShortFormOfAnotherUUIDIsRefused() throws {
        var on = try entry("On")
        on.short = "26"
        let input = CatalogInput(characteristics: [on], services: [])
        #expect { try input.check() } throws: { ($0 as? CatalogError)?.code == .malformed }
    }

    @Test(arguments: [#"{"id":"Off","short":"25"}"#, #"{"id":"On","short":"26"}"#, #"{"id":"On"}"#])
    func unresolvedReferenceIsRefused(reference: String) throws {
        let services = """
            {"services":[{"name":"Lamp","id":"Lamp","uuid":"00000043-0000-1000-8000-0026BB765291","short":"43",
            "required":[\(reference)],"optional":[]}]}
            """
        let characteristics = "{\"characteristics\":[\(Self.json("On"))]}"
        #expect {
            try CatalogInput(characteristics: Data(characteristics.utf8), services: Data(services.utf8))
        } throws: {
            ($0 as? CatalogError)?.code == .unresolved
        }
    }

    @Test(arguments: ["", "[]", "{}", #"{"characteristics":[{"name":"On"}]}"#])
    func aFileOfAnotherShapeIsRefused(text: String) {
        #expect {
            try CatalogInput(characteristics: Data(text.utf8), services: Data(#"{"services":[]}"#.utf8))
        } throws: {
            ($0 as? CatalogError)?.code == .malformed
        }
    }

    @Test(arguments: ["format", "permission", "unit", "access"])
    func termWithoutASwiftNameIsRefused(what: String) throws {
        var on = try entry("On")
        switch what {
        case "format": on.format = "int8"
        case "permission": on.permissions.append("xx")
        case "unit": on.unit = "furlongs"
        default: on.adminOnlyAccess = ["sing"]
        }
        let input = CatalogInput(characteristics: [on], services: [])
        #expect { try CatalogRenderer(input, patches: []).files() } throws: {
            ($0 as? CatalogError)?.code == .unsupported
        }
    }

    @Test func twoIdsWithOneSwiftNameAreRefused() throws {
        var other = try entry("PM25")
        other.uuid = "00000026-0000-1000-8000-0026BB765291"
        let input = CatalogInput(characteristics: [try entry("PM2_5"), other], services: [])
        #expect { try CatalogRenderer(input, patches: []).files() } throws: {
            ($0 as? CatalogError)?.code == .duplicate
        }
    }

    @Test func unsupportedIDIsRefused() throws {
        let input = CatalogInput(characteristics: [try entry("3D")], services: [])
        #expect { try CatalogRenderer(input, patches: []).files() } throws: {
            ($0 as? CatalogError)?.code == .unsupported
        }
    }

    private static func json(_ id: String) -> String {
        """
        {"name":"\(id)","id":"\(id)","uuid":"00000025-0000-1000-8000-0026BB765291","short":"25",
        "format":"uint8","permissions":["pr","ev"],"minValue":0,"validValues":{"One":1}}
        """
    }

    private func entry(_ id: String) throws -> CharacteristicEntry {
        try JSONDecoder().decode(CharacteristicEntry.self, from: Data(Self.json(id).utf8))
    }
}
