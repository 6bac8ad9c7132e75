import HTTPTypes
import Testing

@testable import WebConsole

/// Tests the limits of request bodies.
struct RequestTests {
    @Test(arguments: [(1_024, true), (1_025, false), (20_000, false)])
    func aPhraseHasTheLengthOfAPhrase(_ count: Int, isTaken: Bool) throws {
        let body = "{\"phrase\":\"\(String(repeating: "x", count: count))\"}"
        let request = APIRequest(method: .post, segments: [], query: [:], headers: [:], body: Array(body.utf8))
        if isTaken {
            #expect(try request.read(SayRequest.format).phrase.utf8.count == count)
        } else {
            let problem = #expect(throws: Problem.self) { try request.read(SayRequest.format) }
            #expect(problem?.detail.contains("1024") == true, "\(problem?.detail ?? "")")
        }
    }
}
