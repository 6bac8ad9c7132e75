import FuzzHarness
import HAPController
import HAPCore
import NIOCore
import NIOEmbedded

/// One connection to an accessory, controlled by an input.
final class SessionRun {
    /// The events of the connection, in order.
    private(set) var log: [String] = []
    /// The bodies of all responses and events.
    private(set) var bodies: [[UInt8]] = []
    private let handler = ControllerChannelHandler(host: "lamp", sessionLimits: .responses)
    private let channel = EmbeddedChannel()
    private var sealer: FrameSealer?
    private var cuts: Cuts?
    private var asked: UInt64 = 0
    private var answered: Set<UInt64> = []
    private var hasEnded = false

    /// Runs the input to its end, and then lets the connection end.
    init(_ input: [UInt8], isCut: Bool) {
        var source = ByteSource(input)
        let cuts = Cuts(source.byte())
        self.cuts = isCut ? cuts : nil
        begin()
        while !source.isEmpty {
            let number = Int(source.byte()) % SessionStep.allCases.count
            perform(SessionStep.allCases[number], source.bytes(source.number()))
        }
        _ = try? channel.finish(acceptAlreadyClosed: true)
        claim(hasEnded, "the end of a connection is told")
        claim(answered.count == Int(asked), "each request ends")
        handler.onEvent = nil
    }

    private func begin() {
        guard (try? channel.pipeline.syncOperations.addHandler(handler)) != nil,
            let address = try? SocketAddress(ipAddress: "127.0.0.1", port: 1),
            (try? channel.connect(to: address).wait()) != nil
        else { fatalError("an embedded channel can be connected") }
        handler.onEvent = { [unowned self] body in
            claim(!hasEnded, "no event comes behind the end")
            claim(sealer != nil || asked > 0, "no event comes before anything was asked")
            log.append("event \(body)")
            bodies.append(body)
        }
        handler.onClose = { [unowned self] reason in
            claim(!hasEnded, "the end is told once")
            hasEnded = true
            log.append("end \(reason)")
        }
    }

    private func perform(_ step: SessionStep, _ bytes: [UInt8]) {
        switch step {
        case .ask: ask(bytes.first ?? 0)
        case .bytes: receive(bytes)
        case .message: receive(sealed(bytes))
        case .response: receive(sealed(HTTPResponse.json(.ok, bytes).travelling))
        case .event:
            var event: [UInt8] = []
            HTTPEvent(body: bytes).append(to: &event)
            receive(sealed(event))
        case .secure: secure()
        case .cancel: handler.cancel(RequestQueue.RequestID(UInt64(bytes.first ?? 0)))
        case .wait: channel.embeddedEventLoop.advanceTime(by: .seconds(Int64(bytes.first ?? 0)))
        case .close: channel.pipeline.fireChannelInactive()
        }
        while (try? channel.readOutbound(as: ByteBuffer.self)) != nil {}
    }

    private func ask(_ kind: UInt8) {
        asked += 1
        let number = asked
        let request = kind % 2 == 0 ? HTTPRequest(.get, .accessories) : HTTPRequest(.put, .characteristics, body: [1])
        handler.send(request, as: .init(number), within: .seconds(Int64(kind % 16) + 1)) { [unowned self] response in
            claim(answered.insert(number).inserted, "a request ends once")
            switch response {
            case .success(let message):
                claim(!hasEnded, "no answer comes behind the end")
                log.append("\(number): \(message.status) \(message.body)")
                bodies.append(message.body)
            case .failure(let end):
                log.append("\(number): \(end)")
            }
        }
    }

    /// Switches to frames after a response, once, as pair-verify does.
    private func secure() {
        guard sealer == nil else { return }
        sealer = FuzzSession.keys(.accessory).takeSealer()
        handler.secure(with: FuzzSession.keys(.controller))
    }

    private func sealed(_ message: [UInt8]) -> [UInt8] {
        sealer?.sealed(message) ?? message
    }

    private func receive(_ bytes: [UInt8]) {
        func write(_ piece: UnsafeRawBufferPointer) {
            guard !hasEnded else { return }
            _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
        }
        if cuts != nil {
            cuts?.forEach(of: bytes, write)
        } else {
            bytes.withUnsafeBytes(write)
        }
    }
}

extension HTTPResponse {
    /// The unencrypted bytes of the response.
    fileprivate var travelling: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }
}
