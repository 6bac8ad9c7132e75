import AccessoryModel
import Foundation
import HAPCore
import Testing

@testable import CatalogGenerator

/// Tests that the tool generates the committed files from the committed input.
@Suite struct CatalogGenerationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func input() throws -> CatalogInput {
        let folder = root.appendingPathComponent("Sources/Accessories/CatalogGenerator/Input")
        return try CatalogInput(
            characteristics: Data(contentsOf: folder.appendingPathComponent("characteristics.json")),
            services: Data(contentsOf: folder.appendingPathComponent("services.json"))
        )
    }

    @Test func committedFilesMatchTheGenerator() throws {
        let folder = Self.root.appendingPathComponent("Sources/Accessories/AccessoryModel/Catalog/Generated")
        let files = try CatalogRenderer(Self.input()).files()
        let committed = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(committed) == Set(files.map(\.name)))
        for file in files {
            let text = try Data(contentsOf: folder.appendingPathComponent(file.name))
            #expect(text == Data(file.text.utf8), "\(file.name) differs: run `swift run CatalogGenerator`")
        }
    }

    @Test func committedConstantsOfHomeKitMatchTheGenerator() throws {
        let input = Self.root.appendingPathComponent("Sources/Accessories/CatalogGenerator/Input/homekit.tsv")
        let folder = Self.root.appendingPathComponent("Sources/Homes/HomeKit/Generated")
        let text = try String(contentsOf: input, encoding: .utf8)
        let files = try HomeKitRenderer(text, catalog: Self.input()).files()
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == Set(files.map(\.name)))
        for file in files {
            let committed = try Data(contentsOf: folder.appendingPathComponent(file.name))
            #expect(committed == Data(file.text.utf8), "\(file.name) differs: run `swift run CatalogGenerator`")
            #expect(file.text.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(file.name)")
        }
    }

    @Test(arguments: ["HMServiceTypeFan", "HMServiceTypeFan\t1\t2", "HMError.Code.notFound\ttwo"])
    func malformedConstantOfHomeKitIsRefused(line: String) throws {
        #expect(throws: CatalogError.self) { try HomeKitRenderer(line, catalog: Self.input()) }
    }

    @Test func firstLineOfEveryFileStatesThatItIsGenerated() throws {
        for file in try CatalogRenderer(Self.input()).files() {
            #expect(file.text.hasPrefix(RenderedFile.header))
            #expect(file.text.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(file.name)")
        }
    }

    @Test func shortTypesMatchTheirUUIDs() throws {
        let input = try Self.input()
        #expect(input.characteristics.count == 248)
        #expect(input.services.count == 72)
        for entry in input.characteristics {
            let definition = try #require(Catalog.characteristic(named: entry.id))
            #expect(definition.type.uuid.description == entry.uuid)
            #expect(definition.type.uuid.shortened == entry.short ?? entry.uuid)
        }
        for entry in input.services {
            let definition = try #require(Catalog.service(named: entry.id))
            #expect(definition.type.uuid.description == entry.uuid)
            #expect(definition.type.uuid.shortened == entry.short ?? entry.uuid)
        }
    }

    @Test func onlyPatchedEntriesDifferFromTheInput() throws {
        let patched: Set<String> = ["IsConfigured", "ActiveIdentifier", "CurrentTemperature", "PairingFeatures"]
        #expect(Patch.catalog.count == patched.count)
        for entry in try Self.input().characteristics where !patched.contains(entry.id) {
            let definition = try #require(Catalog.characteristic(named: entry.id))
            #expect(definition.name == entry.name)
            #expect(definition.metadata.format.rawValue == entry.format)
            #expect(definition.metadata.unit?.rawValue == entry.unit)
            #expect(Set(definition.permissions.names) == Set(entry.permissions), "\(entry.id)")
            #expect(definition.metadata.minimum?.double == entry.minValue?.double)
            #expect(definition.metadata.maximum?.double == entry.maxValue?.double)
            #expect(definition.metadata.step?.double == entry.stepValue?.double)
            let names = Dictionary(uniqueKeysWithValues: definition.valueNames.map { ($0.name, $0.value.double) })
            #expect(names == (entry.validValues ?? [:]).mapValues(\.double))
        }
    }
}
