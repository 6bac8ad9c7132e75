import AccessoryFiles
import AccessoryModel
import Documents
import FuzzHarness

/// Definitions: a document that was read can be served, and is the same after writing and reading.
enum DefinitionTarget: FuzzTarget {
    static let name = "definition"

    static var seeds: [String: [UInt8]] {
        let texts = [
            "lamp": "# comment\naccessory: Lamp\nservices:\n  - type: Lightbulb\n    characteristics: { On: true }\n",
            "garage": """
            accessory: Garage
            category: GarageDoorOpener
            setupCode: 031-45-154
            setupID: 7OSX
            deviceID: 1A:2B:3C:4D:5E:6F
            configuration: 7
            services:
              - type: GarageDoorOpener
                name: Door
                primary: true
                linked: [Light]
                simulate: { garageDoor: { travel: 12s, lockTravel: 250ms } }
                characteristics: { TargetDoorState: 1, LockTargetState: Secured }
              - type: Lightbulb
                name: Light
                simulate: { dimmableLight: { fade: Fade Rate } }
                characteristics:
                  On: false
                  Fade Rate:
                    type: 7E536242-341C-4862-BE90-272CE15BD633
                    format: float
                    range: 0...10
                    step: 0.5
                    permissions: [pr, pw, ev]
                    value: 1
            """,
            "bridge": """
            bridge: House
            serverID: house
            accessories:
              - accessory: One
                aid: 7
                services: [{ type: Switch }, { type: Switch, id: b, hidden: true, iid: 90 }]
              - include: lamp.yaml
              - { include: lamp.yaml, name: Two, id: two }
            """,
            "overrides": """
            accessory: A
            ids: fixed
            services:
              - type: AccessoryInformation
                characteristics: { ProductData: AAECAw==, Manufacturer: { iid: 50 }, HardwareRevision: 1.0 }
              - { type: ProtocolInformation, iid: 70 }
              - type: Thermostat
                complete: false
                characteristics:
                  CurrentTemperature: { unit: none, range: -20...40, step: none, description: "x: \\"y\\"" }
                  TargetHeatingCoolingState: { validValues: [Off, Heat], hidden: true, adminOnly: [write] }
                  25: { maxLength: none, minLength: 3, format: string, value: on }
            """,
            "verbatim": """
            accessory: "on"
            verbatim: true
            aid: 5
            services:
              - type: 0000003E-0000-1000-8000-0026BB765291
                iid: 3
                linked: [{ type: Switch, id: b }]
                characteristics: { Name: null, Brightness: 1e3, On: 7, Version: "\\0\\u00e9" }
              - { type: Switch, id: b, simulate: auto }
            """,
            "aliases":
                "accessory: A\nservices: [&a { type: Switch, name: *b }, &b { <<: *a }, *a, *c]\nid: &b x\nid: *b\n",
            "json": #"{"accessory":"L\u00e4mp\ud83d\ude00","services":[{"type":"Fan","characteristics":{"On":1}}]}"#,
            "texts": "accessory: |\n  a\n  b\nmodel: >-\n  folded\n  text\nid: 'it''s'\nservices:\n- {type: Switch}\n",
            "broken": "accesory: A\nservces: []\ncategory: Lightning\nsetupCode: 1\nservices: {type: Switch, On: [}\n",
            "marks": "accessory: A\nmodel: \"" + String(repeating: #"\u0301\U00000316"#, count: 20)
                + "\"\nservices: []\n",
            "json-marks": #"{"accessory":"A\u0301\uD834\uDD65","\u0301\u0316":1,"services":[]}"#,
            "percent-marks":
                "accessory: A\nservices: [{ type: Switch }]\n? !%CC%81%CC%96 \"\\u0301\\\n  \\u0316\"\n: x\n",
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    private static let lamp = Array("accessory: Lamp\nservices: [{ type: Lightbulb }]\n".utf8)

    static func run(_ input: [UInt8]) {
        let reading: AccessoryFileContents
        switch outcome({ () throws(DocumentError) in try read(input) }) {
        case .failure(let error): return DiagnosticCheck.check(error.diagnostics, of: input)
        case .success(let value): reading = value
        }
        guard reading.kind == .yaml || reading.kind == .json else { return }
        claim(reading.warnings.allSatisfy { $0.severity == .warning }, "what is read has no errors")
        let document = reading.document
        if !document.isVerbatim {
            checkThatItCanBeServed(document)
        }
        for kind in [AccessoryFileKind.yaml, .json] {
            guard let written = try? AccessoryFile.write(document, as: kind, name: "again") else {
                fatalError("does not hold: what is read can be written")
            }
            claim(written.losses.isEmpty, "nothing is lost: \(written.losses)")
            guard let again = try? read(written.bytes) else {
                fatalError("does not hold: what is written can be read")
            }
            claim(again.document == document, "a definition is read as it is written")
            let twice = try? AccessoryFile.write(again.document, as: kind, name: "again").bytes
            claim(twice == written.bytes, "a definition is written as before")
        }
    }

    private static func read(_ bytes: [UInt8]) throws(DocumentError) -> AccessoryFileContents {
        try AccessoryFile.read(bytes, name: "input.yaml") { $0 == "lamp.yaml" ? lamp : nil }
    }

    private static func checkThatItCanBeServed(_ document: AccessoryDocument) {
        let accessories = document.makeAccessories(isSimulated: true)
        claim(AccessoryValidation.errors(in: accessories).isEmpty, "what is read is as every controller asks for")
        var identifiers = IdentifierMap()
        switch outcome({ () throws(ModelError) in try AttributeDatabase(accessories, identifiers: &identifiers) }) {
        case .success: break
        case .failure(let error): fatalError("does not hold: what is read can be served: \(error)")
        }
    }
}
