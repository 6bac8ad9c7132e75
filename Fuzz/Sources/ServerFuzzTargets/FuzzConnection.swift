import FuzzHarness
import HAPCore
import NIOCore
import NIOEmbedded
import TestSupport

/// A controller's connection to the server, without a socket.
///
/// It counts the complete requests that it has sent, and checks each response.
final class FuzzConnection {
    private let channel: EmbeddedChannel
    private var sealer: FrameSealer?
    private var opener: FrameOpener?
    private var unopened: [UInt8] = []
    private var decoder = HTTPResponseDecoder()
    private var reference = HTTPRequestDecoder(limits: .unverified)
    private var requestCount = 0
    private(set) var responseCount = 0
    private var lastResponse: HTTPMessage?
    /// Whether the server must close the connection, because the sent bytes are invalid.
    private var isBroken = false
    /// Whether no more bytes are sent, because the next frame is invalid or incomplete.
    private var isAbandoned = false
    /// Whether a request may have changed more than the connection.
    private(set) var mayHaveChangedServer = false
    /// Whether the connection belongs to an admin, to another controller, or is unverified.
    private(set) var role = Role.unverified

    enum Role {
        case unverified, guest, admin
    }

    init(_ channel: EmbeddedChannel) {
        self.channel = channel
    }

    var isOpen: Bool {
        channel.isActive
    }

    /// Whether every complete request has been answered, or no further response is expected.
    var isSettled: Bool {
        !channel.isActive || !channel.isWritable || responseCount == requestCount && !isBroken
    }

    /// The minimum number of bytes of an incomplete request that the server has to store.
    var unfinishedByteCount: Int {
        isOpen ? reference.bufferedByteCount : 0
    }

    // MARK: Sending

    /// Sends plaintext, which is encrypted within a session.
    func send(_ text: [UInt8], _ cuts: inout Cuts) {
        guard isOpen, !isBroken, !isAbandoned, !text.isEmpty else { return }
        countRequests(in: text)
        write(sealer?.sealed(text) ?? text, &cuts)
    }

    /// Sends bytes without a frame.
    ///
    /// Within a session, nothing after them can be decrypted.
    func sendRaw(_ bytes: [UInt8], _ cuts: inout Cuts) {
        guard isOpen, !isBroken, !isAbandoned, !bytes.isEmpty else { return }
        if sealer == nil {
            countRequests(in: bytes)
        } else {
            isAbandoned = true
        }
        write(bytes, &cuts)
    }

    /// Makes the controller stop or resume reading.
    func setWritable(_ isWritable: Bool) {
        guard isOpen, channel.isWritable != isWritable else { return }
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    var isWritable: Bool {
        channel.isWritable
    }

    func close() {
        guard isOpen else { return }
        channel.close(promise: nil)
    }

    private func write(_ bytes: [UInt8], _ cuts: inout Cuts) {
        cuts.forEach(of: bytes) { piece in
            guard channel.isActive else { return }
            _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
        }
    }

    private func countRequests(in text: [UInt8]) {
        text.withUnsafeBytes { reference.append($0) }
        do throws(ProtocolError) {
            while try reference.next() != nil {
                requestCount += 1
            }
        } catch {
            isBroken = true
            if error == HTTPRequestDecoder.chunkedBodyError {
                requestCount += 1
            }
        }
    }

    // MARK: Receiving

    /// Reads and checks what the server has sent since the last call.
    func receive() {
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) {
            let bytes = Array(buffer.readableBytesView)
            claim(bytes.count <= 1 << 20, "an answer is bounded")
            guard opener != nil else {
                bytes.withUnsafeBytes { decoder.append($0) }
                takeMessages()
                continue
            }
            unopened += bytes
            while let frame = openFrame() {
                frame.withUnsafeBytes { decoder.append($0) }
            }
            claim(unopened.isEmpty, "the server sends whole frames")
            takeMessages()
        }
        claim(!decoder.isMidMessage, "the server sends whole messages")
    }

    /// Sends a request and returns its response.
    func request(_ request: HTTPRequest, settle: () -> Void) -> HTTPMessage? {
        var bytes: [UInt8] = []
        request.append(to: &bytes, host: "fuzz")
        var cuts = Cuts(1)
        lastResponse = nil
        send(bytes, &cuts)
        settle()
        return lastResponse
    }

    private func openFrame() -> [UInt8]? {
        var plaintext = [UInt8](repeating: 0, count: FrameFormat.maximumPlaintext)
        let step = unopened.withUnsafeBytes { input in
            plaintext.withUnsafeMutableBytes { target in
                outcome { () throws(ProtocolError) in try opener?.open(input, into: target) ?? .needsMoreBytes }
            }
        }
        switch step {
        case .failure(let error): fatalError("does not hold: a controller can open what the server seals: \(error)")
        case .success(.needsMoreBytes): return nil
        case .success(.frame(let consumed, let count)):
            unopened.removeFirst(consumed)
            return Array(plaintext.prefix(count))
        }
    }

    private func takeMessages() {
        do throws(ProtocolError) {
            while let message = try decoder.next() {
                check(message)
            }
        } catch {
            fatalError("does not hold: a controller can read what the server sends: \(error)")
        }
    }

    private func check(_ message: HTTPMessage) {
        switch message.kind {
        case .event:
            claim(role != .unverified, "only a session is told events")
            claim(
                (try? CharacteristicResponse(parsing: message.body))?.items.isEmpty == false,
                "an event tells a value"
            )
        case .response:
            responseCount += 1
            lastResponse = message
            claim(responseCount <= requestCount || isAbandoned, "nothing is answered that was not asked")
            claim(HTTPStatus(rawValue: message.status) != nil, "a status is one of HAP's")
            if role != .unverified,
                message.status == 204 || message.status == 207 || message.contentType == .pairingTLV8
            {
                mayHaveChangedServer = true
            }
            if role == .unverified {
                claim(message.body.count < 32 || message.contentType == .pairingTLV8, "a stranger is told nothing")
                claim(message.status != 200 || message.contentType == .pairingTLV8, "a stranger reads no values")
            }
            if message.contentType == .hapJSON {
                ResponseCheck.check(message.body)
            }
        }
    }

    // MARK: Verifying

    /// Opens a session.
    func verify(as identity: ControllerIdentity, isAdmin: Bool, settle: () -> Void) {
        var controller = PairVerifyController(identity: identity, accessory: Fixture.accessoryPairing)
        let secret = SecretBytes(copying: [UInt8](repeating: 0x33, count: 32))
        var action = controller.start(ephemeral: X25519KeyPair(secret: secret))
        while case .send(let body) = action {
            let response = request(HTTPRequest(.post, .pairVerify, body: body), settle: settle)
            guard let response else { fatalError("does not hold: pair-verify is answered") }
            action = controller.receive(response.body)
        }
        guard case .finished(let keys) = action else { fatalError("does not hold: a paired controller can verify") }
        sealer = keys.takeSealer()
        opener = keys.takeOpener()
        reference = HTTPRequestDecoder(limits: .verified)
        role = isAdmin ? .admin : .guest
    }

    /// Checks the invariants after the server has done all of its work.
    func checkEnd() {
        guard isOpen else { return }
        claim(!isBroken, "a connection that cannot be understood is ended")
        claim(responseCount == requestCount || isAbandoned, "each request is answered")
    }
}
