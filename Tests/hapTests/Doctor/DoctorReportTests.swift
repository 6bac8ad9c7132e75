import HAPCore
import Testing

@testable import hap

@Suite struct DoctorReportTests {
    @Test(
        arguments: [
            ([], 0), ([.ok], 0), ([.note, .ok], 0), ([.problem, .note], 1), ([.unreachable], 69),
            ([.problem, .unreachable], 69),
        ] as [([Finding.State], Int32)]
    )
    func theStatusIsThatOfTheWorst(states: [Finding.State], status: Int32) {
        #expect(DoctorReport(findings: states.map { Finding("A", $0, "B.") }).status == status)
    }

    @Test func everyLineHasAWordForItsState() {
        let report = DoctorReport(
            findings: [
                Finding("A", .ok, "1."), Finding("B", .note, "2."), Finding("C", .problem, "3.", remedy: "4."),
                Finding("D", .unreachable, "5."),
            ]
        )
        #expect(
            report.text == """
                ✓ ok       A: 1.
                – note     B: 2.
                ✗ problem  C: 3.
                           → 4.
                ✗ problem  D: 5.

                2 problems, 1 note.

                """
        )
        #expect(DoctorReport(findings: []).text.hasSuffix("Nothing is wrong.\n"))
    }

    @Test func theJSONHoldsEverything() throws {
        let report = DoctorReport(target: "a:1", findings: [Finding("C", .problem, "\"3\"", remedy: nil)])
        let object = try #require(try JSONValue(parsing: Array(report.json.utf8)).object)
        #expect(object["target"]?.string == "a:1")
        #expect(object["status"]?.unsigned == 1)
        let finding = try #require(object["findings"]?.array?.first?.object)
        #expect(finding["subject"]?.string == "C")
        #expect(finding["state"]?.string == "problem")
        #expect(finding["sentence"]?.string == "\"3\"")
        #expect(finding["remedy"] == .null)
    }
}
