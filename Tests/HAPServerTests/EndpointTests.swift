import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// The response of every endpoint, and the requests that get none.
///
/// HAP: §10 and §0 (order of checks, bodies)
@Suite struct EndpointTests {
    /// The expected response to one request.
    struct Row: Sendable, CustomTestStringConvertible {
        let method: HTTPMethod
        let path: String
        let status: Int
        var body = ""

        init(_ method: HTTPMethod, _ path: String, _ status: Int, _ body: String = "") {
            self.method = method
            self.path = path
            self.status = status
            self.body = body
        }

        var testDescription: String { "\(method) \(path)" }
    }

    static let methods: [HTTPMethod] = [.get, .post, .put, .other]
    static let unknownPaths = ["/", "/nothing", "/Characteristics", "/characteristics/", "/pair-setup2"]

    /// Every endpoint with every method, unencrypted, on a paired accessory.
    ///
    /// Bodies for pairing are empty and therefore malformed.
    static let inPlaintext: [Row] = methods.flatMap { method in
        let json = ["/accessories", "/characteristics", "/prepare", "/resource"]
        let others = ["/pairings", "/secure-message", "/configured"] + unknownPaths
        return json.map { Row(method, $0, 470, #"{"status":-70411}"#) } + others.map { Row(method, $0, 470) }
            + [
                method == .post ? Row(method, "/identify", 400, #"{"status":-70401}"#) : Row(method, "/identify", 405),
                Row(method, "/pair-setup", method == .post ? 400 : 405),
                Row(method, "/pair-verify", method == .post ? 400 : 405),
            ]
    }

    /// Every endpoint with every method but those that read and write, in a session.
    static let inSession: [Row] =
        methods.flatMap { method in
            (["/secure-message", "/configured"] + unknownPaths).map { Row(method, $0, 404) }
        }
        + [
            ("/identify", HTTPMethod.post), ("/pair-setup", .post), ("/pair-verify", .post), ("/pairings", .post),
            ("/accessories", .get), ("/prepare", .put), ("/resource", .post),
        ]
        .flatMap { path, allowed in methods.filter { $0 != allowed }.map { Row($0, path, 405) } }
        + [
            Row(.post, "/characteristics", 405), Row(.other, "/characteristics", 405),
            Row(.post, "/identify", 400, #"{"status":-70401}"#),
            Row(.post, "/pair-setup", 400), Row(.post, "/pair-verify", 400), Row(.post, "/pairings", 400),
            Row(.post, "/resource", 404, #"{"status":-70409}"#),
            Row(.get, "/characteristics", 400, #"{"status":-70410}"#),
            Row(.put, "/characteristics", 400, #"{"status":-70410}"#),
            Row(.put, "/prepare", 400, #"{"status":-70410}"#),
        ]

    @Test func everyEndpointAndMethodHasItsPlaintextResponse() async throws {
        try await TestServer.run { server in
            let controller = try await server.connect()
            for row in Self.inPlaintext {
                let response = try await controller.request(HTTPRequest(row.method, path: row.path))
                #expect((response.status, response.text) == (row.status, row.body), "\(row.testDescription)")
            }
        }
    }

    @Test func everyEndpointAndMethodHasItsSessionResponse() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            for row in Self.inSession {
                let response = try await controller.request(HTTPRequest(row.method, path: row.path))
                #expect((response.status, response.text) == (row.status, row.body), "\(row.testDescription)")
            }
            let accessories = try await controller.request(HTTPRequest(.get, .accessories))
            #expect(accessories.status == 200)
            #expect(accessories.contentType == .hapJSON)
            #expect(try JSONValue(parsing: accessories.body).object?["accessories"]?.array?.count == 1)
        }
    }

    @Test func anUnpairedAccessoryIdentifiesItselfToAnyone() async throws {
        try await TestServer.run(pairings: []) { server in
            let controller = try await server.connect()
            let response = try await controller.request(HTTPRequest(.post, .identify, body: Array("{}".utf8)))
            #expect(response.status == 204)
            #expect(response.body.isEmpty)
            #expect(server.journal.events.contains(.identifyRequested(.primary)))
        }
    }

    @Test func anIdentifyHandlerThatThrowsIsReported() async throws {
        let key = CharacteristicKey(
            accessory: TestAccessory.key,
            service: ServiceKey(.accessoryInformation),
            type: .identify
        )
        let handler = CharacteristicHandler(onWrite: { _, _ in throw TestFailure("no lamp to blink") })
        try await TestServer.run(pairings: [], handlers: [key: handler]) { server in
            let response = try await server.connect().request(HTTPRequest(.post, .identify))
            #expect(response.status == 204)
            let id = try await server.id(.identify, of: .accessoryInformation)
            let failure = String(describing: TestFailure("no lamp to blink"))
            try await server.journal.waitForEvent { $0 == .handlerFailed(id, failure) }
        }
    }

    @Test func identifyWriteCallsTheAccessoryItAddresses() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let id = try await server.id(.identify, of: .accessoryInformation)
            #expect(try await controller.put(true, to: id).status == 204)
            #expect(server.journal.events.contains(.identifyRequested(.primary)))
        }
    }

    @Test(arguments: [false, true])
    func chunkedRequestIsRefusedAndTheConnectionClosed(inSession: Bool) async throws {
        try await TestServer.run { server in
            let controller = inSession ? try await server.session() : try await server.connect()
            let request = "PUT /characteristics HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            try await controller.send(Array(request.utf8))
            let messages = try await controller.messagesUntilClosed()
            #expect(messages == [HTTPMessage(.response, status: 400)])
        }
    }

    static let malformedHeads = [
        "BAD\r\n\r\n", "GET /accessories HTTP/2.0\r\n\r\n", "GET  /accessories HTTP/1.1\r\n\r\n",
        "POST /identify HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST /identify HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
        "POST /pair-setup HTTP/1.1\r\nContent-Length: 16385\r\n\r\n",
        "POST /pair-setup HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "GET /" + String(repeating: "a", count: 17_000) + " HTTP/1.1\r\n\r\n",
    ]

    @Test(arguments: malformedHeads.indices)
    func malformedOrOversizeRequestClosesTheConnectionSilently(index: Int) async throws {
        try await TestServer.run { server in
            let controller = try await server.connect()
            try await controller.send(Array(Self.malformedHeads[index].utf8))
            #expect(try await controller.messagesUntilClosed() == [])
            try await server.journal.waitForEvent { if case .protocolViolation = $0 { true } else { false } }
        }
    }

    @Test func bodyOfMaximumSizeIsRead() async throws {
        try await TestServer.run { server in
            let controller = try await server.connect()
            let request = HTTPRequest(.post, .pairSetup, body: [UInt8](repeating: 0, count: 16_384))
            #expect(try await controller.request(request).status == 400)
        }
    }

    @Test func sessionAcceptsALargerBodyThanAPlaintextConnection() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let text = Base64.encode([UInt8](repeating: 0xA5, count: 100_000))
            let id = try await server.id(TestAccessory.data)
            let value = JSONValue.string(text)
            #expect(try await controller.put(value, to: id).status == 204)
            #expect(try await controller.value(of: id) == value)
        }
    }

    @Test(arguments: ["wrong tag", "too long", "clear text"])
    func malformedFrameClosesTheConnectionSilently(error: String) async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            switch error {
            case "wrong tag": try await controller.sendRaw([1, 0] + [UInt8](repeating: 0, count: 17))
            case "too long": try await controller.sendRaw([1, 4])
            default: try await controller.sendRaw(HTTPRequest(.get, .accessories).message)
            }
            #expect(try await controller.messagesUntilClosed() == [])
        }
    }

    @Test func requestBeforeAMalformedRequestIsServed() async throws {
        try await TestServer.run { server in
            let controller = try await server.connect()
            try await controller.send(HTTPRequest(.get, .accessories).message + Array("BAD\r\n\r\n".utf8))
            #expect(try await controller.messagesUntilClosed().map(\.status) == [470])
        }
    }

    @Test func pipelinedRequestsAreServedInOrder() async throws {
        try await TestServer.run { server in
            let controller = try await server.session()
            let paths = ["/nothing", "/accessories", "/resource", "/prepare", "/accessories"]
            try await controller.send(paths.flatMap { HTTPRequest(.get, path: $0).message })
            var statuses: [Int] = []
            for _ in paths {
                statuses.append(try await controller.response().status)
            }
            #expect(statuses == [404, 200, 405, 405, 200])
        }
    }
}
