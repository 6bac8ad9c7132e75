import HAPCore
import Resources
import Testing

@testable import hap

@Suite struct DoctorReportTests {
    @Test(
        arguments: [
            ([], 0), ([.ok], 0), ([.note, .ok], 0), ([.problem, .note], 1), ([.unreachable], 69),
            ([.problem, .unreachable], 69),
        ] as [([CheckResult.State], Int32)]
    )
    func exitStatusIsThatOfTheWorstResult(states: [CheckResult.State], status: Int32) {
        #expect(DoctorReport(results: states.map { CheckResult("A", $0, "B.") }).status == status)
    }

    @Test func everyLineHasAWordForItsState() {
        let report = DoctorReport(
            results: [
                CheckResult("A", .ok, "1."), CheckResult("B", .note, "2."),
                CheckResult("C", .problem, "3.", remedy: "4."),
                CheckResult("D", .unreachable, "5."),
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
        #expect(DoctorReport(results: []).text.hasSuffix("No problems found.\n"))
    }

    @Test func jsonContainsEverything() throws {
        let report = DoctorReport(target: "a:1", results: [CheckResult("C", .problem, "\"3\"", remedy: nil)])
        let json = DoctorReport.format.json(report)
        let object = try #require(try JSONValue(parsing: Array(json.utf8)).object)
        #expect(object["target"]?.string == "a:1")
        #expect(object["status"]?.unsigned == 1)
        let diagnostic = try #require(object["checks"]?.array?.first?.object)
        #expect(diagnostic["subject"]?.string == "C")
        #expect(diagnostic["severity"]?.string == "error")
        #expect(diagnostic["message"]?.string == "\"3\"")
        #expect(diagnostic["remedy"] == nil)
    }
}
