import Documents
import Testing

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
}
