import AccessoryFiles
import AccessoryModel
import AsyncPrimitives
import Documents
import HAPCore
import HTTPTypes
import Hosting
import Resources
import TestSupport
import Testing

@testable import WebConsole

/// Definitions that are checked while they are edited, the gallery, and imports.
struct DefinitionCheckTests {
    private func check(_ text: String) -> DefinitionCheck { DefinitionCheck(.text(text), name: "definition") }

    private func json(_ check: DefinitionCheck) throws -> JSONValue {
        try JSONValue(parsing: JSONWriter.bytes(of: DefinitionCheck.format.write(check)))
    }

    private func respond(_ method: WebRequest.Method, _ path: String, _ body: String = "") async throws -> JSONValue {
        try await Console(of: "serve", version: "1", EventJournal()).respond(method, path, body)
    }

    @Test func previewHasWhatTheReaderAdds() throws {
        let check = check("accessory: Lamp\nservices:\n  - type: Lightbulb # mine\n")
        let accessory = try #require(check.preview?.first)
        #expect(accessory.name == "Lamp")
        #expect(accessory.services.map(\.type) == ["3E", "A2", "43"])
        #expect(accessory.services[2].characteristics.contains { $0.described.name == "On" })
        let object = try json(check).object
        #expect(object?["text"]?.string == "accessory: Lamp\nservices:\n  - type: Lightbulb\n")
        #expect(object?["summary"]?.string?.contains("3 services") == true)
        #expect(object?["summary"]?.string?.hasSuffix("were added") == true)
        #expect(object?["diagnostics"]?.array?.isEmpty == true)
    }

    @Test func valuesAreCheckedLikeTheirText() async throws {
        let body = """
            {"definition": {"accessory": "Lamp", "services": [{"type": "Lightbulb"}, {"type": "Lightbulp"}]}}
            """
        let object = try await respond(.post, "api/v1/definitions/check", body).object
        let diagnostic = object?["diagnostics"]?.array?.first?.object
        #expect(diagnostic?["severity"]?.string == "error")
        #expect(diagnostic?["path"]?.string == "services[1].type")
        #expect(diagnostic?["line"]?.number?.double == 4)
        #expect(object?["accessories"] == .null)
        #expect(object?["definition"]?.object?["accessory"]?.string == "Lamp")
    }

    @Test(arguments: ["", "accessory: [", "5", "[1]", "accessory: Lamp\nservices: 7\n", "{\"accessory\": 1}"])
    func invalidDefinitionsAreReported(text: String) throws {
        let object = try json(check(text)).object
        #expect(object?["diagnostics"]?.array?.isEmpty == false)
        #expect(object?["accessories"] == .null)
        #expect(object?["summary"] == .null)
    }

    @Test(arguments: ["{}", "{\"text\": \"a\", \"definition\": {}}", "{\"definition\": [1]}"])
    func bodyNeedsEitherTextOrDefinition(body: String) async throws {
        await #expect { try await respond(.post, "api/v1/definitions/check", body) } throws: {
            ($0 as? Problem)?.status == .badRequest
        }
    }

    @Test func processWithoutFolderSaysHowToGetOne() async throws {
        for (method, path) in [(WebRequest.Method.get, ""), (.get, "/lamp.yaml"), (.delete, "/lamp.yaml")] {
            await #expect { try await respond(method, "api/v1/definitions\(path)") } throws: { error in
                let problem = error as? Problem
                return problem?.status == .conflict && problem?.code == "no-folder"
                    && problem?.detail.contains("--accessories") == true
            }
        }
    }

    @Test func galleryHasTheDefinitionsOfTheFolder() throws {
        #expect(Gallery.entries.map(\.name) == GalleryFile.all.map(\.name))
        for (entry, file) in zip(Gallery.entries, GalleryFile.all) {
            let check = check(entry.text)
            #expect(check.preview != nil, "\(entry.name): \(check.reading)")
            let source = String(decoding: try file.bytes, as: UTF8.self)
            #expect(entry.text == source || source.contains("include:"), "\(entry.name)")
        }
    }

    @Test func everyDeviceOfAnImportedFileIsADefinition() async throws {
        let lamp = "accessory: Lamp\\nservices: [{ type: Lightbulb }]\\n"
        let answer = try await respond(
            .post,
            "api/v1/definitions/import",
            "{\"name\": \"x.yaml\", \"text\": \"\(lamp)\"}"
        )
        let entry = answer.array?.first?.object
        #expect(entry?["title"]?.string == "Lamp")
        #expect(check(entry?["text"]?.string ?? "").preview?.count == 1)
        for body in [
            "{\"name\": \"x\", \"data\": \"?\"}", "{\"name\": \"x\"}", "{\"name\": \"x\", \"text\": \"a: b\"}",
        ] {
            await #expect(throws: Problem.self) { try await respond(.post, "api/v1/definitions/import", body) }
        }
    }

    @Test func typesNameTheirCharacteristicsByTheirIDs() async throws {
        let types = try await respond(.get, "api/v1/types").object
        let ids = Set((types?["characteristics"]?.array ?? []).compactMap { $0.object?["id"]?.string })
        for service in types?["services"]?.array ?? [] {
            let required = service.object?["required"]?.array ?? []
            #expect(required.allSatisfy { ids.contains($0.string ?? "") }, "\(service)")
        }
        #expect(types?["categories"]?.array?.contains(.string("GarageDoorOpener")) == true)
        let command = types?["driver"]?.object?["properties"]?.object?["command"]?.object
        #expect(command?["properties"]?.object?["run"]?.object?["description"]?.string?.isEmpty == false)
    }

    @Test func diagnosticsInAnAnswerAreLimitedAndErrorsComeFirst() throws {
        let services = (0..<500).map { "  - type: Lightbulp\n    name: \($0)\n" }.joined()
        let diagnostics = try #require(
            try json(check("accessory: A\nservices:\n" + services)).object?["diagnostics"]?.array
        )
        #expect(diagnostics.count == ConsoleLimits.diagnostics)
        #expect(diagnostics.allSatisfy { $0.object?["severity"]?.string == "error" })
        #expect(diagnostics.last?.object?["message"]?.string?.hasPrefix("there are 301 more errors") == true)
    }

    @Test func checkIsRefusedWhileOthersTakeTooLong() async throws {
        let limiter = ConcurrencyLimiter(1, patience: .milliseconds(1))
        let console = Console(of: "serve", version: "1", EventJournal(), checks: limiter)
        #expect(await limiter.acquire())
        await #expect { try await console.limitingChecks { .empty } } throws: {
            ($0 as? Problem)?.status == .serviceUnavailable
        }
        limiter.release()
        for _ in 0..<2 { #expect(try await console.limitingChecks { .empty }.status == .noContent) }
        let limited = Console.definitionEndpoints.filter(\.readsDefinition).map(\.path)
        let all = Console.definitionEndpoints.map(\.path).filter { $0.hasPrefix("/api/v1/definitions/") }
        #expect(limited == all && limited.contains("/api/v1/definitions/{file}/export"))
    }
}
