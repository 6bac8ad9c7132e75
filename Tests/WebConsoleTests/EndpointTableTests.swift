import HAPCore
import HTTPTypes
import HomeModel
import Hosting
import Simulation
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

    @Test func everyParameterOfAPathIsDescribed() {
        for endpoint in table.all {
            let names = endpoint.segments.filter { $0.first == "{" }.map { String($0.dropFirst().dropLast()) }
            #expect(endpoint.pathParameters.map(\.name) == names, "\(endpoint.path)")
        }
    }

    @Test func everyOperationDescribesItsOtherErrors() throws {
        let document = try JSONValue(parsing: OpenAPIDocument(table.all, version: "1").bytes)
        let paths = try #require(document.object?["paths"]?.object?.members)
        #expect(Set(paths.map(\.key)) == Set(table.all.map(\.path)))
        for path in paths {
            for operation in path.value.object?.members ?? [] {
                let responses = operation.value.object?["responses"]?.object
                let content = responses?["default"]?.object?["content"]?.object
                #expect(content?["application/problem+json"] != nil, "\(operation.key) \(path.key)")
                #expect((responses?["404"] != nil) == path.key.contains("{"), "\(operation.key) \(path.key)")
            }
        }
    }

    @Test(
        arguments: [
            (Problem.invalid("No."), 400, "invalid"),
            (SimulationError(.cancelled, "It was ended.", "Do it again."), 503, "cancelled"),
            (DefinitionFolderError.refused("No."), 409, "refused"),
            (HomeError(.ambiguousName, at: "scene", "has two meanings"), 422, "ambiguous-name"),
            (HomeStoreError.refused(HomeError(.unknownObject, at: "scene", "does not exist")), 404, "unknown-name"),
            (CancellationError(), 500, "unexpected-error"),
        ] as [(any Error, Int, String)]
    )
    func errorOfAnOperationHasAStatusAndACode(error: any Error, status: Int, code: String) {
        let problem = Problem(error)
        #expect(problem.status.code == status && problem.code == code)
        #expect(!problem.detail.contains("CancellationError"))
    }
}
