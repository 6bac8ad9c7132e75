import Cast
import HAPCore
import TestSupport
import Testing

@testable import CastSender

/// Sessions with a receiver in memory, with messages in one piece and byte by byte.
@Suite(.timeLimit(.minutes(5)))
struct CastSessionTests {
    static func session(
        with receiver: MemoryReceiver,
        _ change: (inout CastSession.Configuration) -> Void = { _ in }
    ) -> CastSession {
        var configuration = CastSession.Configuration()
        change(&configuration)
        return CastSession(with: CastDevice(host: "memory"), configuration) { () async throws(CastSenderError) in
            try receiver.open()
        }
    }

    static func launched(_ receiver: MemoryReceiver, _ app: String = "QUIZ") async throws -> CastSession {
        let session = session(with: receiver)
        try await session.connect()
        try await session.launch(app)
        return session
    }

    static let namespace = "urn:x-cast:com.example.quiz"

    // MARK: Apps

    @Test(arguments: [Int.max, 1])
    func anAppIsLaunchedJoinedLeftAndStopped(chunk: Int) async throws {
        let receiver = MemoryReceiver(chunk: chunk)
        let (first, second) = (Self.session(with: receiver), Self.session(with: receiver))
        try await first.connect()
        try await second.connect()
        #expect(first.receiverStatus?.app == nil && first.state == .connected(nil))
        await #expect(throws: CastSenderError.noApp) { try await second.join() }
        let app = try await first.launch("QUIZ")
        #expect(app.name == "Quiz" && first.state == .connected(app))
        #expect(app.namespaces == [CastNamespace.media, Self.namespace])
        // The other sender was told, joins the same app, and leaving it does not end it.
        try await eventually("the app is known") { second.receiverStatus?.app == app }
        #expect(try await second.join("QUIZ") == app)
        await #expect(throws: CastSenderError.noApp) { try await second.join("CC1AD845") }
        #expect(try await second.launch("QUIZ") == app)
        await second.leave()
        #expect(second.state == .connected(nil) && first.state == .connected(app))
        try await first.stopApp()
        try await eventually("the app has ended") { first.state == .connected(nil) }
        await first.end()
        #expect(first.state == .ended(.ended))
        await #expect(throws: CastSenderError.notConnected) { try await first.launch() }
        await second.end()
    }

    @Test
    func anAppThatDoesNotExistIsRefusedWithTheReason() async throws {
        let session = Self.session(with: MemoryReceiver())
        try await session.connect()
        await #expect(throws: CastSenderError.launchFailed("NOT_FOUND")) { try await session.launch("NOTHING") }
        #expect(try await session.availableApps(of: ["QUIZ", "NOTHING"]) == ["QUIZ"])
        await session.end()
    }

    @Test
    func theEndOfAnAppByOthersIsSeen() async throws {
        let receiver = MemoryReceiver()
        let session = try await Self.launched(receiver)
        receiver.change { receiver, _ in receiver.crashApp() }
        try await eventually("the app has ended") { session.state == .connected(nil) }
        await #expect(throws: CastSenderError.noApp) { try await session.media.play() }
        await session.end()
    }

    @Test
    func theVolumeIsSetHereAndThere() async throws {
        let receiver = MemoryReceiver()
        let session = Self.session(with: receiver)
        try await session.connect()
        try await session.setVolume(0.25)
        try await session.setMuted(true)
        #expect(session.receiverStatus?.volume == CastVolume(level: 0.25, isMuted: true))
        receiver.change { receiver, _ in
            receiver.setVolume(CastVolume(level: 0.5))
            receiver.broadcastStatus()
        }
        try await eventually("the volume is known") { session.receiverStatus?.volume.level == 0.5 }
        await session.end()
    }

    @Test
    func anAppThatIsReplacedWithoutACloseIsLeft() async throws {
        let receiver = MemoryReceiver()
        let session = try await Self.launched(receiver)
        let status: JSONObject = ["volume": .object(["level": 1])]
        receiver.misbehave(.bytes(Self.frame(["type": "RECEIVER_STATUS", "status": .object(status)])))
        Task { try? await session.setVolume(1) }
        try await eventually("the app has ended") { session.state == .connected(nil) }
        await #expect(throws: CastSenderError.noApp) { try await session.media.play() }
        await session.end()
    }

    @Test
    func aSessionThatHasEndedStaysSo() async throws {
        let receiver = MemoryReceiver()
        let unused = Self.session(with: receiver)
        await unused.end()
        await #expect(throws: CastSenderError.notConnected) { try await unused.connect() }
        #expect(receiver.connectionCount == 0)
        let session = try await Self.launched(receiver)
        await session.end()
        await #expect(throws: CastSenderError.notConnected) { try await session.connect() }
        await #expect(throws: CastSenderError.notConnected) { try await session.join() }
        #expect(session.state == .ended(.ended))
        let late = try CastChannel(namespace: Self.namespace)
        try await session.add(late)
        var events = late.events.makeAsyncIterator()
        #expect(await events.next() == nil)
    }

    // MARK: Lost connections

    @Test
    func aLostConnectionIsOpenedAgainAndTheSameAppJoined() async throws {
        let receiver = MemoryReceiver()
        let session = try await Self.launched(receiver)
        let channel = try CastChannel(namespace: Self.namespace)
        try await session.add(channel)
        receiver.drop()
        try await eventually("it is suspended") { if case .suspended = session.state { true } else { false } }
        #expect(!channel.isConnected)
        try await eventually("it is connected") { if case .connected(.some) = session.state { true } else { false } }
        #expect(channel.isConnected && receiver.connectionCount == 2)
        // An app that has ended meanwhile is not joined.
        receiver.change { receiver, _ in receiver.crashApp() }
        receiver.drop()
        try await eventually("it is connected again") {
            receiver.connectionCount == 3 && session.state == .connected(nil)
        }
        await session.end()
    }

    @Test
    func anAppIsNotForgottenWhenTheNextConnectionIsLost() async throws {
        let receiver = MemoryReceiver()
        let session = try await Self.launched(receiver)
        // The next connection ends when the app has been joined, and before it answers.
        receiver.misbehave(.usual, .end([]))
        receiver.drop()
        try await eventually("the third connection is joined") {
            guard receiver.connectionCount == 3, case .connected(let app) = session.state else { return false }
            return app?.id == "QUIZ"
        }
        await session.end()
    }

    @Test
    func aReceiverThatCannotBeReachedFailsTheFirstConnectionOnly() async throws {
        let receiver = MemoryReceiver()
        receiver.drop(isAway: true)
        let session = Self.session(with: receiver)
        let failure = CastSenderError.unreachable("it is away")
        await #expect(throws: failure) { try await session.connect() }
        #expect(session.state == .ended(.failed(failure)))
    }

    @Test
    func withoutReconnectionASessionEndsWithTheReason() async throws {
        let receiver = MemoryReceiver()
        let session = Self.session(with: receiver) { $0.reconnects = false }
        try await session.connect()
        var ends: [CastSession.State] = []
        let states = session.states
        receiver.drop()
        for await state in states { ends.append(state) }
        #expect(ends.last == .ended(.failed(.connectionLost("the receiver has closed it"))))
    }

    // MARK: Receivers that misbehave

    static func frame(_ object: JSONObject, _ namespace: String = CastNamespace.receiver) -> [UInt8] {
        CastMessage(from: CastID.receiver, to: "*", namespace, .object(object)).frame ?? []
    }

    @Test(
        arguments: [
            ([0xFF, 0xFF, 0xFF, 0xFF], "longer"), ([0, 0, 0, 2, 0x10, 1], "no text"), ([0, 0, 0, 1, 0x08], "cut off"),
        ] as [([UInt8], String)]
    )
    func whatIsNoMessageEndsTheSessionWithAReason(bytes: [UInt8], words: String) async throws {
        let receiver = MemoryReceiver()
        receiver.misbehave(.bytes(bytes))
        let session = Self.session(with: receiver)
        do throws(CastSenderError) {
            try await session.connect()
            Issue.record("The session is connected.")
        } catch {
            guard case .malformed(let reason) = error else { return #expect(error == .noApp) }
            #expect(reason.contains(words), "\(reason)")
            #expect(session.state == .ended(.failed(error)))
        }
    }

    @Test(arguments: [(JSONValue.null, nil), (.object([:]), CastVolume())] as [(JSONValue, CastVolume?)])
    func aStatusWithoutFieldsHasUsualValues(status: JSONValue, volume: CastVolume?) async throws {
        let receiver = MemoryReceiver()
        receiver.misbehave(.bytes(Self.frame(["type": "RECEIVER_STATUS", "requestId": 1, "status": status])))
        let session = Self.session(with: receiver)
        try await session.connect()
        #expect(session.receiverStatus?.volume == volume && session.receiverStatus?.app == nil)
        await session.end()
    }

    @Test
    func anAppThatEndsTheConnectionIsNotJoinedAgain() async throws {
        let receiver = MemoryReceiver()
        let session = try await Self.launched(receiver)
        let transport = try #require(session.receiverStatus?.app).transportID
        let message = CastMessage(from: transport, to: "*", CastNamespace.connection, .object(["type": "CLOSE"]))
        receiver.misbehave(.bytes(message.frame ?? []))
        let film = MediaInformation(contentID: "film", contentType: "video/mp4")
        // The app has ended, so it does not answer.
        await #expect(throws: CastSenderError.noApp) { try await session.media.load(MediaLoadRequest(film)) }
        #expect(session.receiverStatus?.app != nil && session.state == .connected(nil))
        await #expect(throws: CastSenderError.noApp) { try await session.join() }
        // After another launch, it is joined, although the receiver has kept it.
        #expect(try await session.launch("QUIZ").transportID == transport)
        #expect(session.state != .connected(nil))
        await session.end()
    }

    @Test
    func aReceiverThatDoesNotAnswerTimesOut() async throws {
        let receiver = MemoryReceiver()
        receiver.misbehave(.nothing)
        let session = Self.session(with: receiver) { $0.timeLimit = .milliseconds(1) }
        await #expect(throws: CastSenderError.timedOut(.milliseconds(1))) { try await session.connect() }
    }

    @Test
    func aReceiverThatClosesInTheMiddleOfALoadFailsIt() async throws {
        let receiver = MemoryReceiver()
        let session = try await Self.launched(receiver)
        receiver.misbehave(.end([0, 0, 1]))
        let film = MediaInformation(contentID: "film", contentType: "video/mp4")
        await #expect(throws: CastSenderError.connectionLost("the receiver has closed it")) {
            try await session.media.load(MediaLoadRequest(film))
        }
        await session.end()
    }

    @Test
    func anAnswerThatIsNotJSONIsIgnored() async throws {
        let receiver = MemoryReceiver()
        let session = Self.session(with: receiver)
        try await session.connect()
        let text = CastMessage(from: CastID.receiver, to: "*", CastNamespace.receiver, .text("[[[")).frame ?? []
        let status: JSONObject = ["volume": .object(["level": 0.75])]
        let answer: JSONObject = ["type": "RECEIVER_STATUS", "requestId": 2, "status": .object(status)]
        receiver.misbehave(.bytes(text + Self.frame(answer)))
        try await session.setVolume(1)
        #expect(session.receiverStatus?.volume.level == 0.75)
        await session.end()
    }

    @Test
    func aMessageThatIsTooLongIsNotSent() async throws {
        let session = try await Self.launched(MemoryReceiver())
        let channel = try CastChannel(namespace: Self.namespace)
        try await session.add(channel)
        let text = String(repeating: "x", count: 70_000)
        await #expect(throws: CastSenderError.messageTooLong) { try await channel.send(text) }
        let film = MediaInformation(contentID: text, contentType: "video/mp4")
        await #expect(throws: CastSenderError.messageTooLong) { try await session.media.load(MediaLoadRequest(film)) }
        await session.end()
    }

    // MARK: Custom channels

    @Test(arguments: [Int.max, 1])
    func textsAndBytesGoBothWaysInACustomChannel(chunk: Int) async throws {
        let receiver = MemoryReceiver(chunk: chunk)
        let channel = try CastChannel(namespace: Self.namespace)
        let session = Self.session(with: receiver)
        // Before the session begins.
        try await session.add(channel)
        var events = channel.events.makeAsyncIterator()
        try await session.connect()
        await #expect(throws: CastSenderError.noApp) { try await channel.send("early") }
        try await session.launch("QUIZ")
        #expect(await events.next() == .connected)
        try await channel.send(#"{"answer":2}"#)
        #expect(await events.next() == .text(#"{"answer":2}"#))
        try await channel.send([1, 2, 3])
        receiver.change { receiver, _ in _ = receiver.sendToAll("news", Self.namespace) }
        #expect(await events.next() == .text("news"))
        try await session.stopApp()
        #expect(await events.next() == .disconnected)
        await session.end()
        #expect(await events.next() == nil)
    }

    @Test
    func aChannelThatTheAppLacksIsRefused() async throws {
        let session = try await Self.launched(MemoryReceiver())
        let (own, other) = (try CastChannel(namespace: Self.namespace), try CastChannel(namespace: "urn:x-cast:a.b"))
        // During the session, and several at once.
        try await session.add(own)
        try await session.add(other)
        #expect(own.isConnected && !other.isConnected)
        await #expect(throws: CastSenderError.unsupportedNamespace("urn:x-cast:a.b")) { try await other.send("x") }
        let again = try CastChannel(namespace: Self.namespace)
        await #expect(throws: CastSenderError.namespaceInUse(Self.namespace)) { try await session.add(again) }
        await session.remove(own)
        #expect(!own.isConnected)
        await #expect(throws: CastSenderError.notConnected) { try await own.send("x") }
        await #expect(throws: CastSenderError.namespaceInUse(Self.namespace)) { try await session.add(own) }
        try await session.add(again)
        #expect(again.isConnected)
        await session.end()
    }

    @Test(arguments: [
        "quiz", "urn:x-cast:", "urn:x-cast:com.google.cast.media", "urn:x-cast:" + .init(repeating: "a", count: 200),
    ])
    func aNamespaceHasItsForm(text: String) {
        #expect(throws: CastSenderError.invalidNamespace(text)) { try CastChannel(namespace: text) }
    }
}
