import AirPlay
import HAPCore
import HostTestSupport
import PropertyLists
import TestSupport
import Testing

/// A sender on a socket: one connection to a receiver.
final class AirPlayTestSender {
    private let peer: SocketPeer
    private var stream: StreamEnd?
    private var decoder = AirPlayMessageDecoder(maximumBody: AirPlayMessageDecoder.knownSenderBody)
    private var readCount = 0
    private var number = 0
    private var responses: [AirPlayResponse] = []
    /// The keys of the event channel, after pairing for one session.
    private(set) var eventKeys: SessionKeys?

    init(port: UInt16, from host: String = "127.0.0.1") async throws {
        peer = try await SocketPeer(port: port, nil, from: host)
    }

    /// A sender with keys for one session.
    static func paired(with stage: ReceiverStage) async throws -> AirPlayTestSender {
        let sender = try await AirPlayTestSender(port: stage.port)
        #expect(try await sender.pairForOneSession() == nil)
        return sender
    }

    var isClosed: Bool { peer.isClosed }
    func close() { peer.close() }
    func write(_ bytes: [UInt8]) async throws { try await peer.send(bytes) }
    func expectEnd() async throws { try await eventually("the connection ends") { peer.isClosed } }

    // MARK: Requests

    /// Sends a request, and returns its number.
    @discardableResult
    func send(
        _ method: String,
        _ target: String,
        _ headers: AirPlayHeaders = [:],
        _ body: [UInt8] = []
    ) async throws -> Int {
        number += 1
        var headers = headers
        headers["CSeq"] = "\(number)"
        let bytes = AirPlayRequest(method, target, .rtsp, headers, body).bytes
        try await peer.send(stream?.seal(bytes) ?? bytes)
        return number
    }

    /// Returns the responses that have arrived.
    func arrived() throws -> [AirPlayResponse] {
        let fresh = Array(peer.received[readCount...])
        readCount += fresh.count
        decoder.append(try stream?.open(fresh) ?? fresh)
        while let response = try decoder.nextResponse() { responses.append(response) }
        return responses
    }

    /// Waits for the response to a request; one without a number refuses the last request.
    func response(to number: Int) async throws -> AirPlayResponse {
        func find() throws -> AirPlayResponse? {
            try arrived().last { $0.headers["CSeq"] == "\(number)" || $0.headers["CSeq"] == nil }
        }
        try await eventually("an answer arrives") { try find() != nil || peer.isClosed }
        return try #require(try find(), "the connection has ended")
    }

    @discardableResult
    func request(
        _ method: String,
        _ target: String = "rtsp://127.0.0.1/1",
        _ headers: AirPlayHeaders = [:],
        _ body: [UInt8] = []
    ) async throws -> AirPlayResponse {
        try await response(to: send(method, target, headers, body))
    }

    /// Sends a property list; returns the response with its property list.
    @discardableResult
    func request(
        _ method: String,
        _ target: String = "rtsp://127.0.0.1/1",
        list: PropertyList
    ) async throws -> (status: Int, list: PropertyList?) {
        let body = BinaryPropertyListWriter.write(list)
        return Self.read(
            try await request(method, target, ["Content-Type": "application/x-apple-binary-plist"], body)
        )
    }

    static func read(_ response: AirPlayResponse) -> (status: Int, list: PropertyList?) {
        (response.status, try? PropertyListReader.read(response.body, name: "the answer", limits: .request))
    }

    func information() async throws -> PropertyList {
        try #require(Self.read(try await request("GET", "/info")).list)
    }

    // MARK: Pairing

    /// Pairs for one session; from then on, the connection is encrypted.
    ///
    /// - Returns: The error of the receiver, or `nil`.
    func pairForOneSession(password: String = "3939") async throws -> PairingErrorCode? {
        let headers: AirPlayHeaders = ["X-Apple-HKP": "4"]
        let start = PairingMessages.message((.state, [1]), (.method, [0]), (.flags, [0x10]))
        let second = try await request("POST", "/pair-setup", headers, start)
        if let error = PairingMessages.error(of: second.body) { return error }
        let key = try #require(PairingMessages.value(.publicKey, of: second.body))
        let salt = try #require(PairingMessages.value(.salt, of: second.body))
        let answer = SRPClient.response(serverKey: key, salt: salt, password: password, secret: .random(count: 32))
        let proof = try #require(answer)
        let third = PairingMessages.message((.state, [3]), (.publicKey, proof.publicKey), (.proof, proof.proof))
        let fourth = try await request("POST", "/pair-setup", headers, third)
        if let error = PairingMessages.error(of: fourth.body) { return error }
        #expect(PairingMessages.value(.proof, of: fourth.body) == proof.agreement.serverProof)
        let secret = proof.agreement.sessionKey.withBytes { Array($0) }
        let keys = SessionKeys(
            secret: Self.keys("Control", ["Read", "Write"], secret),
            role: .controller,
            events: Self.keys("Events", ["Write", "Read"], secret)
        )
        (stream, eventKeys) = (StreamEnd(keys), keys.events)
        return nil
    }

    /// Returns the two keys of a channel: first the one with which the receiver sends.
    private static func keys(_ channel: String, _ directions: [String], _ secret: [UInt8]) -> SessionSecret {
        SessionSecret(
            keys: SecretBytes(count: 64) { keys in
                for (number, direction) in directions.enumerated() {
                    let place = 32 * number..<32 * (number + 1)
                    secret.withUnsafeBytes { secret in
                        HKDF.derive(
                            from: secret,
                            salt: Array("\(channel)-Salt".utf8),
                            info: Array("\(channel)-\(direction)-Encryption-Key".utf8),
                            into: UnsafeMutableRawBufferPointer(rebasing: keys[place])
                        )
                    }
                }
            }
        )
    }

    /// Pairs with a PIN; returns the pairing, or the receiver's error.
    ///
    /// - Parameter hint: The value of X-Apple-HKP: 3 for a PIN, 6 for a home.
    func pair(
        _ identity: ControllerIdentity,
        pin: String,
        hint: String = "3"
    ) async throws -> Result<AccessoryPairing, PairingFailure> {
        try await request("POST", "/pair-pin-start", ["X-Apple-HKP": hint])
        var controller = PairSetupController(identity: identity, code: Fixture.setupCode) { key, salt, _ in
            SRPClient.response(serverKey: key, salt: salt, password: pin, secret: .random(count: 32))
        }
        var action = controller.start()
        while true {
            switch action {
            case .send(let message):
                let response = try await request("POST", "/pair-setup", ["X-Apple-HKP": hint], message)
                #expect(response.status == 200)
                action = controller.receive(response.body)
            case .compute(let computation): action = controller.didCompute(computation.run())
            case .finished(let pairing): return .success(pairing)
            case .failed(let failure): return .failure(failure)
            }
        }
    }

    /// Proves a pairing, and returns the last status; from then on, the connection is encrypted.
    func verify(_ identity: ControllerIdentity, _ pairing: AccessoryPairing) async throws -> Int {
        var controller = PairVerifyController(identity: identity, accessory: pairing)
        var action = controller.start(ephemeral: .random())
        while true {
            switch action {
            case .send(let message):
                let response = try await request("POST", "/pair-verify", ["X-Apple-HKP": "3"], message)
                guard response.status == 200 else { return response.status }
                action = controller.receive(response.body)
            case .finished(let keys):
                stream = StreamEnd(keys)
                return 200
            case .failed(let failure): throw failure
            }
        }
    }

    // MARK: Sessions

    private static let session: PropertyList = [
        "name": "Phone", "timingProtocol": "NTP", "timingPort": 0, "sessionUUID": "A", "deviceID": "02:00:00:00:00:01",
    ]

    /// Sets up a session, and returns the status and the port of the event channel.
    @discardableResult
    func setUp() async throws -> (status: Int, eventPort: UInt16?) {
        let (status, list) = try await request("SETUP", list: Self.session)
        return (status, list?["eventPort"]?.integer.flatMap { UInt16(exactly: $0) })
    }

    /// Sets up a session with an audio stream.
    func setUpAudio(_ audio: AudioSocket, alac: Bool = false) async throws {
        #expect(try await setUp().status == 200)
        try await setUpStream(audio, alac: alac)
        #expect(try await request("RECORD").status == 200)
    }

    /// Sets up an audio stream of a session.
    func setUpStream(_ audio: AudioSocket, alac: Bool = false) async throws {
        let stream: PropertyList = [
            "type": 96, "ct": alac ? 2 : 1, "audioFormat": alac ? 0x40000 : 0x800, "spf": 352, "sr": 44_100,
            "shk": .data(audio.key), "controlPort": .unsigned(UInt64(audio.port)),
        ]
        let (status, list) = try await request("SETUP", list: ["streams": [stream]])
        #expect(status == 200)
        let answer = try #require(list?["streams"]?.array?.first)
        audio.dataPort = try #require(answer["dataPort"]?.integer.flatMap { UInt16(exactly: $0) })
        audio.controlPort = try #require(answer["controlPort"]?.integer.flatMap { UInt16(exactly: $0) })
    }
}

/// One end of an encrypted stream.
final class StreamEnd {
    private var stream: SessionStream

    init(_ keys: SessionKeys) { stream = SessionStream(keys) }

    func open(_ bytes: [UInt8]) throws(ProtocolError) -> [UInt8] { try stream.open(bytes) }
    func seal(_ message: [UInt8]) -> [UInt8] { stream.seal(message) }
}

/// The end of a sender of an event channel.
final class EventChannelEnd {
    private let peer: SocketPeer
    private let stream: StreamEnd
    private var decoder = AirPlayMessageDecoder()
    private var readCount = 0
    private var lists: [PropertyList] = []

    init(port: UInt16, _ keys: SessionKeys) async throws {
        peer = try await SocketPeer(port: port, nil)
        stream = StreamEnd(keys)
    }

    var isClosed: Bool { peer.isClosed }

    /// The requests that have arrived, which are answered.
    func requests() async throws -> [PropertyList] {
        let fresh = Array(peer.received[readCount...])
        readCount += fresh.count
        decoder.append(try stream.open(fresh))
        while let request = try decoder.nextRequest() {
            #expect(request.method == "POST" && request.path == "/command")
            lists.append(try PropertyListReader.read(request.body, name: "the request", limits: .request))
            try await peer.send(stream.seal(AirPlayResponse.ok.bytes(for: request, server: "sender")))
        }
        return lists
    }
}
