import HAPCore
import HTTPTypes

@testable import WebConsole

extension Console {
    /// Returns the answer to a request, or null if it is not JSON.
    ///
    /// - Throws: ``Problem`` for a request that is refused.
    func respond(_ method: WebRequest.Method, _ path: String, _ body: String = "") async throws -> JSONValue {
        let request = APIRequest(
            method: method,
            segments: path.split(separator: "/").map(String.init),
            query: [:],
            headers: [:],
            body: Array(body.utf8)
        )
        let (endpoint, found) = try Console.endpoints.find(request)
        guard case .bytes(let bytes) = try await endpoint.respond(found, self).content else { return .null }
        return try JSONValue(parsing: bytes)
    }
}
