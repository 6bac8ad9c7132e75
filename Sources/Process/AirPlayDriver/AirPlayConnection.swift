internal import AccessoryModel
internal import AirPlay
internal import AsyncPrimitives
internal import HAPCore
internal import HAPServer
internal import Hosting
internal import Simulation

/// A connection of a sender: reads its requests, one after the other, and answers them.
actor AirPlayConnection {
    /// The time for an answer of the device.
    private static let answerLimit = Duration.seconds(10)
    private let connection: DriverConnection
    private let peer: PeerID
    private let context: ReceiverContext
    private var decoder = AirPlayMessageDecoder()
    private var session: AirPlaySession
    private var stream: SessionStream?
    private var keys: SessionKeys?
    private var pairing: ConnectionPairing
    private var audio: AudioStream?
    private let commands: CommandQueue
    /// The pairing that the sender has proved.
    private var verifiedPairing: Pairing?
    private var limits = SenderLimits()
    /// Looks up the video that was asked for last.
    private var loading: Task<Void, Never>?
    /// Waits for the answer of the device to the question with this number.
    private var question: (number: UInt64, answer: OneShot<ReceiverAnswer>)?
    private var lastQuestion: UInt64 = 0
    /// Whether the connection has ended.
    private var hasEnded = false
    private let (tasks, startTask) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)

    private var port: DriverPort { context.port }

    init(_ connection: DriverConnection, _ peer: PeerID, _ context: ReceiverContext) async {
        (self.connection, self.peer, self.context) = (connection, peer, context)
        pairing = ConnectionPairing(context)
        commands = CommandQueue(context.port, context.browser)
        var generator = SodiumRandomNumberGenerator()
        session = AirPlaySession(
            access: await context.credentials.access,
            hasVideo: context.hasVideo,
            host: connection.peerHost,
            nonce: String(generator.next(), radix: 16)
        )
    }

    /// Serves requests until one side ends the connection.
    func serve() async {
        let messages = port.messages(to: peer)
        await port.deliver(.joined(peer))
        await withDiscardingTaskGroup { [tasks] group in
            group.addTask { [self] in
                for await message in messages { await handle(message) }
                // The driver ends, or the sender does not read: nothing will be answered.
                await cancelQuestion()
                connection.close()
            }
            group.addTask { [self] in await watch() }
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for await task in tasks { group.addTask(operation: task) }
                    group.cancelAll()
                }
            }
            await receive()
            await end()
            await port.deliver(.left(peer))
            connection.close()
            startTask.finish()
            group.cancelAll()
        }
    }

    /// Ends the connection if the sender is silent, remains unknown, or may no longer play.
    private func watch() async {
        while (try? await Task.sleep(for: .seconds(10))) != nil {
            guard !limits.areExceeded(by: session, lastPacket: audio?.lastPacket) else { return connection.close() }
            await updateAccess()
            if session.isOpen, !session.mayPlay { return connection.close() }
        }
    }

    /// Learns which senders may play now, and whether this one is still paired.
    private func updateAccess() async {
        session.access = await context.credentials.access
        guard case .paired(let id, _) = session.proof else { return }
        let current = await context.credentials.pairings.first { $0.identifier == id }
        // A pairing with another key belongs to another sender.
        guard let current, current.publicKey == verifiedPairing?.publicKey else {
            session.proof = .removed
            return
        }
        session.proof = .paired(id, isAdmin: current.isAdmin)
    }

    // MARK: Requests

    private func receive() async {
        do throws(AirPlayRefusal) {
            while let bytes = await connection.receive() {
                try open(bytes)
                while let request = try decoder.nextRequest() {
                    guard try await handle(request) else { return }
                }
            }
        } catch {
            let details = ["peer": connection.peerHost, "reason": error.reason.prefix(utf8Bytes: 256)]
            port.emit(DriverEvent("rejected", details, isWarning: true))
            // The sender learns the reason if it still reads.
            let request = AirPlayRequest("", "")
            await send(AirPlayResponse(error.status), to: request)
        }
    }

    /// Decrypts bytes if the connection is encrypted, and passes them to the decoder.
    private func open(_ bytes: [UInt8]) throws(AirPlayRefusal) {
        guard stream != nil else { return decoder.append(bytes) }
        do throws(ProtocolError) {
            decoder.append(try stream?.open(bytes) ?? [])
        } catch {
            throw AirPlayRefusal(400, "\(error)")
        }
    }

    /// Handles a request, and returns whether the connection goes on.
    private func handle(_ request: AirPlayRequest) async throws(AirPlayRefusal) -> Bool {
        port.trace(request, from: connection.peerHost, peer)
        guard limits.count(requestOf: session) else {
            throw AirPlayRefusal(429, "a sender that is not paired has sent too many requests")
        }
        await updateAccess()
        if session.proof == .removed { throw AirPlayRefusal(470, "the pairing of the sender was removed") }
        if let remote = RemoteControl(request.headers, peerHost: connection.peerHost) { commands.setRemote(remote) }
        if request.path == "/feedback", await port.take(fault: "droppedFeedback") { return true }
        let step = await step(for: request)
        let response = await perform(step, request)
        await send(response, to: request)
        if case .refuse = step { throw AirPlayRefusal(response.status, "the sender may not do this") }
        if session.isOpen, !session.mayPlay { await endSession() }
        decoder.maximumBody =
            session.isOpen ? AirPlayMessageDecoder.knownSenderBody : AirPlayMessageDecoder.unknownSenderBody
        if let keys {
            self.keys = nil
            // The answer was the last message that is not encrypted.
            stream = SessionStream(keys)
            sessionKeys = keys
            try open(decoder.takeUnread())
        }
        return true
    }

    /// Returns what is to be done for a request.
    ///
    /// Guesses of a password are slow: they are checked one after the other for all connections, and a wrong one takes a
    /// second.
    private func step(for request: AirPlayRequest) async -> AirPlaySession.Step {
        guard session.access.password != nil, !session.isOpen, request.headers["Authorization"] != nil else {
            return session.receive(request)
        }
        let computations = context.credentials.computations
        guard await computations.acquire() else { return .answer(AirPlayResponse(503)) }
        defer { computations.release() }
        let step = session.receive(request)
        if case .answer(let response) = step, response.status == 401 {
            try? await Task.sleep(for: AirPlayCredentials.failureTime)
        }
        return step
    }

    /// The keys of the connection, which the event channel shares.
    private var sessionKeys: SessionKeys?

    private func perform(_ step: AirPlaySession.Step, _ request: AirPlayRequest) async -> AirPlayResponse {
        switch step {
        case .answer(let response), .refuse(let response): return response
        case .information(let wantsRecord): return await information(wantsRecord)
        case .showPIN:
            let pin = await context.credentials.pin
            if await context.credentials.access.password == nil, context.mayShowPIN {
                port.emit(DriverEvent("pin", ["pin": pin]))
            }
            return .ok
        case .pairSetup(let body): return await pair(body, request)
        case .pairVerify(let body): return await verify(body)
        case .pairings(let body):
            guard case .paired(let id, _) = session.proof else { return AirPlayResponse(470) }
            return await pairing.change(body, by: id)
        case .configure(let settings): return await configure(settings)
        case .begin(let sender, let setup): return await begin(sender, setup)
        case .beginAudio(let setup): return await beginAudio(setup)
        case .flush(let position):
            if let audio, audio.flush(position) { await tell(.pause) }
            return .ok
        case .notify(let messages, let artwork):
            // The picture is there before the device says so.
            if let artwork { port.show(DriverPicture(artwork)) }
            for message in messages { await tell(message) }
            return .ok
        case .volume:
            let level = context.summary?.volume ?? VolumeLevel(percent: 100)
            return AirPlayResponse("text/parameters", Array("volume: \(level.decibels)\r\n".utf8))
        case .ask(let video, let sender, let report): return await ask(video, sender, report)
        case .tearDown(let isWhole):
            await endAudio(isSessionOver: isWhole)
            if isWhole { await tell(.end) }
            return .ok
        }
    }

    private func information(_ wantsRecord: Bool) async -> AirPlayResponse {
        let isInUse = await port.take(fault: "deviceInUse")
        let volume = context.summary?.volume ?? VolumeLevel(percent: 100)
        return await context.information(isInUse: isInUse).answer(volume: volume, wantsRecord: wantsRecord)
    }

    // MARK: Pairing

    private func pair(_ body: [UInt8], _ request: AirPlayRequest) async -> AirPlayResponse {
        let hint = request.headers["X-Apple-HKP"]
        let outcome = await pairing.setUp(body, isForHome: hint == "6" || hint == "7", session.access)
        if let keys = outcome.keys {
            self.keys = keys
            session.proof = .transient
        }
        return outcome.response
    }

    private func verify(_ body: [UInt8]) async -> AirPlayResponse {
        let outcome = await pairing.verify(body)
        if let keys = outcome.keys, let pairing = outcome.pairing {
            self.keys = keys
            verifiedPairing = pairing
            session.proof = .paired(pairing.identifier, isAdmin: pairing.isAdmin)
        }
        return outcome.response
    }

    private func configure(_ settings: HomeSettings) async -> AirPlayResponse {
        guard await context.credentials.configure(settings) else { return AirPlayResponse(500) }
        context.announceAgain()
        return await context.credentials.settings.answer(
            identifier: context.credentials.identity.deviceID.text,
            publicKey: context.credentials.identity.publicKey.bytes
        )
    }

    // MARK: Session

    private func begin(_ sender: SenderDescription, _ setup: SessionSetup?) async -> AirPlayResponse {
        if port.hasFaults {
            if let status = await port.takeNumber(ofFault: "refusedSession") { return await endSession(Int(status)) }
            if await port.take(fault: "deviceInUse") { return await endSession(453) }
        }
        let answer = await ask(.begin(sender))
        if case .refused(let status) = answer { return await endSession(status) }
        guard setup != nil, let keys = sessionKeys?.events else { return .ok }
        // The keys of a connection are for one channel: with another one, nonces would be used again.
        if let channel = commands.events { return SessionSetup.answer(eventPort: await channel.port) }
        do {
            let channel = try await EventChannel.open(
                on: context.parameters.address,
                from: connection.peerHost,
                keys,
                port
            )
            commands.events = channel
            startTask.yield { await channel.run() }
            return SessionSetup.answer(eventPort: await channel.port)
        } catch {
            return await endSession(500)
        }
    }

    /// Ends the session on both sides.
    @discardableResult
    private func endSession(_ status: Int = 470) async -> AirPlayResponse {
        session.didEnd()
        await endAudio()
        await tell(.end)
        return AirPlayResponse(status)
    }

    private func beginAudio(_ setup: AudioSetup) async -> AirPlayResponse {
        await endAudio(isSessionOver: false)
        session.sampleRate = setup.format.sampleRate
        var generator = SodiumRandomNumberGenerator()
        let stream = AudioStream(
            setup,
            from: connection.peerHost,
            seed: generator.next(),
            recorder: recorder(setup.format)
        )
        guard let response = try? await stream.open(on: context.parameters.address, port) else {
            return await endSession(500)
        }
        audio = stream
        startTask.yield { [port, peer] in await stream.run(port, peer) }
        return response
    }

    private func recorder(_ format: AudioFormat) -> AudioRecorder? {
        port.recordings.map {
            AudioRecorder(folder: $0, name: port.accessory.name, format, within: context.recordingBudget)
        }
    }

    /// Ends the audio stream; a session that goes on is paused.
    private func endAudio(isSessionOver: Bool = true) async {
        guard let audio else { return }
        self.audio = nil
        await audio.end(port, peer)
        if !isSessionOver { await tell(.pause) }
    }

    private func end() async {
        hasEnded = true
        await endAudio()
        await commands.end()
        loading?.cancel()
    }

    // MARK: Device

    /// Informs the device.
    private func tell(_ message: SenderMessage) async {
        await port.deliver(.message(AirPlayDelivery(message), from: peer))
    }

    /// Asks the device, and returns its answer; 503 without one in time.
    private func ask(_ message: SenderMessage) async -> ReceiverAnswer {
        lastQuestion += 1
        let answer = OneShot<ReceiverAnswer>()
        question = (lastQuestion, answer)
        defer { question = nil }
        await port.deliver(.message(AirPlayDelivery(message, question: lastQuestion), from: peer))
        let result = await withTimeLimit(Self.answerLimit) { await answer.waitUnlessCancelled() } ?? nil
        return result ?? .refused(503)
    }

    private func cancelQuestion() { question?.answer.set(.refused(503)) }

    private func ask(
        _ video: VideoRequest,
        _ sender: SenderDescription,
        _ report: AirPlaySession.VideoReport
    ) async -> AirPlayResponse {
        if case .play = video, let status = await port.takeNumber(ofFault: "refusedSession") {
            return await endSession(Int(status))
        }
        switch await ask(.video(video, sender)) {
        case .accepted: return .ok
        case .refused(let status):
            if case .play = video { return await endSession(status) }
            return AirPlayResponse(status)
        case .playback(let information):
            return report == .position ? information.positionAnswer : information.answer
        }
    }

    private func handle(_ message: PeerMessage) async {
        guard let message = message.content as? ReceiverMessage else { return }
        switch message {
        case .answer(let answer, let number): if question?.number == number { question?.answer.set(answer) }
        case .command(let command): if commands.add(command) { startTask.yield { [commands] in await commands.send() } }
        case .load(let url):
            loading?.cancel()
            guard !hasEnded else { return }
            loading = Task { [context, peer] in
                let result = await context.fetcher.content(of: url)
                if Task.isCancelled { return }
                let message = SenderMessage.loaded(url: url, result)
                await context.port.deliver(.message(AirPlayDelivery(message), from: peer))
            }
        case .end:
            session.didEnd()
            // Before the sockets of the audio: the sender would take their end for that of its stream.
            connection.close()
            await endAudio()
        }
    }

    // MARK: Sending

    private func send(_ response: AirPlayResponse, to request: AirPlayRequest) async {
        let bytes = response.bytes(for: request, server: ReceiverInformation.server)
        port.trace(response, to: request, of: connection.peerHost, peer)
        let sealed = stream?.seal(bytes) ?? bytes
        if (try? await connection.send(sealed)) == nil { connection.close() }
    }
}
