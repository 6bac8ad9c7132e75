import HAPCore
import Synchronization
import Testing

@testable import Documents

@Suite
struct DiagnosticTests {
    @Test
    func absentPartsAreOmitted() {
        #expect(Diagnostic(.error, in: "lamp.yaml", "it is empty").description == "lamp.yaml: it is empty")
        let diagnostic = Diagnostic(
            .error,
            in: "lamp.yaml",
            at: TextPosition(line: 3, column: 5),
            path: "services[0].type",
            "there is no such service"
        )
        #expect(diagnostic.description == "lamp.yaml:3:5: services[0].type: there is no such service")
    }

    @Test
    func elementsAfterTheMaximumOfErrorsAreNotRead() throws {
        let reads = Atomic(0)
        let format = Format<[Bool]>
            .list(
                of: Format<Bool>(
                    schema: Format<Bool>.boolean.schema,
                    read: { field, reader in
                        reads.add(1, ordering: .relaxed)
                        return Format<Bool>.boolean.read(field, &reader)
                    },
                    write: DocumentTree.bool
                )
            )
        var reader = DocumentReader()
        let text = "[" + Array(repeating: "1", count: 40_000).joined(separator: ",") + "]"
        let root = try #require(JSONDocumentParser.compose(Array(text.utf8), in: "f", &reader.diagnostics))
        #expect(format.read(DocumentField(file: "f", node: root), &reader) == nil)
        // One error more than is reported shows that there are more.
        #expect(reads.load(ordering: .relaxed) == DiagnosticCollector.maximum + 1)
        #expect(reader.diagnostics.ordered.last?.reason == "there are more errors than the 1000 above")
    }

    @Test
    func unknownKeysAfterTheMaximumOfErrorsAreNotCompared() throws {
        func budget(_ count: Int) throws -> Int {
            var diagnostics = DiagnosticCollector()
            let text = "{" + (0..<count).map { "\"brightnes\($0 + 100_000)\": 1" }.joined(separator: ",") + "}"
            let root = try #require(JSONDocumentParser.compose(Array(text.utf8), in: "f", &diagnostics))
            _ = DocumentMap(DocumentField(file: "f", node: root), known: ["brightness", "hue"], &diagnostics)
            return diagnostics.spelling.budget
        }
        #expect(try budget(DiagnosticCollector.maximum) == budget(15_000))
        #expect(try budget(DiagnosticCollector.maximum - 1) > budget(15_000))
    }

    @Test(arguments: [
        ("services[0]", true), ("services[0].characteristics", true), ("services[0].characteristics.On", true),
        ("services[0].characteristics.On.value", false), ("services[1]", false), ("services[0].char", false),
    ])
    func anErrorIsInTheValuesThatContainIt(path: String, isErroneous: Bool) {
        var diagnostics = DiagnosticCollector()
        let place = "services[0].characteristics.On"
        diagnostics.report(at: SourceLocation(file: "lamp.yaml", path: place), "it is wrong")
        diagnostics.warn(at: SourceLocation(file: "lamp.yaml", path: "services[1].name"), "it is long")
        #expect(diagnostics.hasError(in: path, of: "lamp.yaml") == isErroneous)
        #expect(!diagnostics.hasError(in: path, of: "other.yaml"))
    }
}
