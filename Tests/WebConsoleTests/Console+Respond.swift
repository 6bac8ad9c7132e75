import Foundation
import HAPCore
import HTTPTypes

@testable import WebConsole

extension Console {
    /// Returns the answer to a request, or null if it is not JSON.
    ///
    /// - Parameter path: The path with its query, both with percent encoding.
    /// - Throws: ``Problem`` for a request that is refused.
    func respond(_ method: WebRequest.Method, _ path: String, _ body: String = "") async throws -> JSONValue {
        guard case .bytes(let bytes) = try await response(method, path, body).content else { return .null }
        return try JSONValue(parsing: bytes)
    }

    /// Returns the response to a request.
    func response(
        _ method: WebRequest.Method,
        _ path: String,
        _ body: String = ""
    ) async throws(Problem) -> APIResponse {
        let parts = path.split(separator: "?", maxSplits: 1)
        var query: [String: String] = [:]
        for pair in parts.dropFirst().joined().split(separator: "&") {
            let words = pair.split(separator: "=").map { $0.removingPercentEncoding ?? "" }
            query[words[0]] = words[1]
        }
        let request = APIRequest(
            method: method,
            segments: parts[0].split(separator: "/").map { $0.removingPercentEncoding ?? "" },
            query: query,
            headers: [:],
            body: Array(body.utf8)
        )
        do {
            let (endpoint, found) = try Console.endpoints.find(request)
            return try await endpoint.respond(found, self)
        } catch {
            throw Problem(error)
        }
    }
}
