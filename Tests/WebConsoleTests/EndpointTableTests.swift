import HTTPTypes
import Testing

@testable import WebConsole

struct EndpointTableTests {
    private let table = Console.endpoints

    private func request(_ method: WebRequest.Method, _ path: String) -> APIRequest {
        APIRequest(
            method: method,
            segments: path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init),
            query: [:],
            headers: [:],
            body: []
        )
    }

    @Test func parametersAreTakenFromThePath() throws {
        let (endpoint, matched) = try table.find(request(.get, "/api/v1/servers/Garage/characteristics/1.9/history"))
        #expect(endpoint.path == "/api/v1/servers/{server}/characteristics/{characteristic}/history")
        #expect(matched["server"] == "Garage" && matched["characteristic"] == "1.9")
    }

    @Test func fixedPathIsNotAlsoOneWithParameters() {
        #expect {
            try table.find(request(.get, "/api/v1/definitions/check"))
        } throws: { error in
            let problem = error as? Problem
            return problem?.status == .methodNotAllowed && problem?.allowedMethods == "POST"
        }
    }

    @Test func unknownPathIsNotFound() {
        #expect { try table.find(request(.get, "/api/v1/nothing")) } throws: { ($0 as? Problem)?.status == .notFound }
        #expect { try table.find(request(.get, "/api/v1/servers//sessions")) } throws: {
            ($0 as? Problem)?.status == .notFound
        }
    }
}
