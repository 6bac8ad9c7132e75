import Cast
import HAPCore
import Testing

/// The receiver and its apps: connections, launches, volume and channels.
struct CastReceiverTests {
    private static func configured(_ change: (inout CastReceiver.Configuration) -> Void) -> CastStage {
        var configuration = CastReceiver.Configuration()
        change(&configuration)
        return CastStage(configuration)
    }

    @Test
    func aLaunchAnswersTheSenderAndTellsTheOthers() throws {
        let stage = CastStage()
        stage.connect(1)
        stage.connect(2)
        let answer = try #require(stage.send("LAUNCH", ["appId": "CC1AD845"], CastNamespace.receiver))
        let app = try #require(answer.object("status")?.objects("applications")?.first)
        #expect(app.text("appId") == "CC1AD845" && app.text("transportId") == app.text("sessionId"))
        #expect(app.objects("namespaces")?.compactMap { $0.text("name") } == [CastNamespace.media])
        let told = stage.take(2)
        #expect(told.count == 1 && told[0].text("type") == "RECEIVER_STATUS" && told[0].integer("requestId") == 0)
        #expect(stage.take(1).count == 1)
        #expect(stage.receiver.isActive)
    }

    @Test(arguments: [("", "BAD_PARAMETER"), ("FFFFFFFF", "NOT_FOUND")])
    func aLaunchThatIsNotPossibleSaysWhy(_ id: String, _ reason: String) throws {
        let stage = CastStage()
        stage.connect()
        let answer = try #require(stage.send("LAUNCH", ["appId": .string(id)], CastNamespace.receiver))
        #expect(answer.text("type") == "LAUNCH_ERROR" && answer.text("reason") == reason)
    }

    @Test
    func aLaunchTakesItsTimeAndASecondOneCancelsIt() throws {
        let stage = Self.configured { configuration in
            configuration.launchTime = .seconds(3)
            configuration.apps.append(CastApp(id: "A", name: "Other"))
        }
        stage.connect()
        stage.send("LAUNCH", ["appId": "CC1AD845"], CastNamespace.receiver)
        let notice = try #require(stage.take().first { $0.text("type") == "LAUNCH_STATUS" })
        #expect(notice.text("status") == "USER_ALLOWED" && notice["requestId"] == nil)
        stage.send("LAUNCH", ["appId": "A"], CastNamespace.receiver)
        #expect(stage.take().contains { $0.text("type") == "LAUNCH_ERROR" && $0.text("reason") == "CANCELLED" })
        stage.advance(2.9)
        #expect(stage.receiver.running == nil)
        stage.advance(0.2)
        #expect(stage.receiver.running?.app.name == "Other")
        #expect(stage.take().contains { $0.text("type") == "RECEIVER_STATUS" && $0.integer("requestId") != 0 })
    }

    @Test
    func launchingTheRunningAppKeepsItsSession() {
        let stage = CastStage()
        stage.launch()
        let session = stage.receiver.running?.sessionID
        stage.send("LAUNCH", ["appId": "CC1AD845"], CastNamespace.receiver)
        #expect(stage.receiver.running?.sessionID == session)
    }

    @Test
    func stoppingAnAppClosesItsSenders() throws {
        let stage = CastStage()
        stage.launch()
        let session = try #require(stage.receiver.running?.sessionID)
        #expect(
            stage.send("STOP", ["sessionId": "wrong"], CastNamespace.receiver)?.text("reason") == "INVALID_SESSION_ID"
        )
        _ = stage.take()
        let answer = try #require(stage.send("STOP", ["sessionId": .string(session)], CastNamespace.receiver))
        #expect(answer.object("status")?["applications"] == nil)
        #expect(stage.take().contains { $0.text("type") == "CLOSE" })
        #expect(stage.takeEvents().suffix(2) == ["STOP", "APP_STOPPED"])
        // Connecting to an app that has ended is refused, and messages to it are dropped.
        stage.send("CONNECT", [:], CastNamespace.connection, to: session)
        #expect(stage.take().map { $0.text("type") } == ["CLOSE"])
        #expect(stage.send("GET_STATUS", [:], CastNamespace.media, to: session) == nil)
    }

    @Test
    func messagesToAnAppNeedAConnection() {
        let stage = CastStage()
        stage.launch()
        #expect(stage.send("GET_STATUS", from: 2) == nil)
        stage.connect(2)
        #expect(stage.send("GET_STATUS", from: 2) != nil)
        #expect(stage.takeEvents().filter { $0 == "CONNECTED" }.count == 2)
        stage.receiver.disconnect(2)
        #expect(stage.takeEvents() == ["DISCONNECTED"])
    }

    @Test
    func theVolumeIsClampedAndMembersMayBeNull() throws {
        let stage = CastStage()
        stage.connect(1)
        stage.connect(2)
        stage.send("SET_VOLUME", ["volume": .object(["level": 7, "muted": .null])], CastNamespace.receiver)
        #expect(stage.receiver.volume == CastVolume(level: 1))
        #expect(stage.take(2).isEmpty)
        stage.send("SET_VOLUME", ["volume": .object(["level": "0.25"])], CastNamespace.receiver)
        stage.send("SET_VOLUME", ["volume": .object(["muted": true])], CastNamespace.receiver)
        #expect(stage.receiver.volume == CastVolume(level: 0.25, isMuted: true))
        let told = stage.take(2)
        #expect(told.count == 2)
        let volume = try #require(told.last?.object("status")?.object("volume"))
        #expect(volume.number("level") == 0.25 && volume.flag("muted") == true)
    }

    @Test
    func aFixedVolumeStays() {
        let stage = Self.configured { $0.hasFixedVolume = true }
        stage.connect()
        let answer = stage.send("SET_VOLUME", ["volume": .object(["level": 0.5])], CastNamespace.receiver)
        #expect(answer?.object("status")?.object("volume")?.text("controlType") == "fixed")
        #expect(stage.receiver.volume.level == 1)
    }

    @Test
    func appAvailabilityHasNoType() {
        let stage = CastStage()
        stage.connect()
        let ids: JSONValue = ["CC1AD845", "FFFFFFFF", "CC1AD845"]
        let answer = stage.send("GET_APP_AVAILABILITY", ["appId": ids], CastNamespace.receiver)
        #expect(answer?.text("responseType") == "GET_APP_AVAILABILITY" && answer?["type"] == nil)
        #expect(
            answer?.object("availability") == ["CC1AD845": "APP_AVAILABLE", "FFFFFFFF": "APP_UNAVAILABLE"]
        )
    }

    @Test
    func onlySomeAppsOfARequestAreAnswered() {
        let stage = CastStage()
        stage.connect()
        let ids = JSONValue.array((0..<5_000).map { .string("\($0)") })
        let answer = stage.send("GET_APP_AVAILABILITY", ["appId": ids], CastNamespace.receiver)
        #expect(answer?.object("availability")?.members.count == 64)
    }

    @Test
    func anAnswerThatIsTooLongIsNotMade() {
        let reply = CastReply(pattern: "*", text: String(repeating: "{message}", count: 100))
        #expect(reply.answer(to: String(repeating: "x", count: 1_000)) == nil)
        #expect(reply.answer(to: "x") == String(repeating: "x", count: 100))
        #expect(CastReply(pattern: "a*b*c", text: "-{message}-").answer(to: "a--b--c") == "-a--b--c-")
        #expect(CastReply(pattern: "a*a", text: "").answer(to: "a") == nil)
    }

    @Test
    func unknownRequestsAreRefusedAndUnknownNamespacesIgnored() {
        let stage = CastStage()
        stage.connect()
        #expect(stage.send("DANCE", [:], CastNamespace.receiver)?.text("reason") == "INVALID_COMMAND")
        #expect(stage.send("GET_STATUS", [:], CastNamespace.prefix + "multizone") == nil)
        let info = stage.send("GET_DEVICE_INFO", [:], CastNamespace.discovery)
        #expect(info?.text("friendlyName") == "Television")
        stage.send("eureka_info", ["request_id": 5], CastNamespace.setup)
        #expect(stage.take().last?.integer("request_id") == 5)
    }

    @Test
    func anAppAnswersInItsChannels() throws {
        let channel = "urn:x-cast:com.example.quiz"
        let stage = Self.configured { configuration in
            configuration.apps.append(
                CastApp(
                    id: "QUIZ",
                    name: "Quiz",
                    ownNamespaces: [channel],
                    playsMedia: false,
                    replies: [
                        CastReply(pattern: "{*\"join\"*}", text: "{\"type\":\"joined\"}"),
                        CastReply(pattern: "*", text: "{message}"),
                    ]
                )
            )
        }
        stage.launch("QUIZ")
        _ = stage.take()
        let app = try #require(stage.receiver.running?.sessionID)
        func send(_ text: String, _ namespace: String = channel) {
            stage.receiver.receive(
                CastMessage(from: "sender-1", to: app, namespace, .text(text)),
                from: 1,
                at: stage.now
            )
            stage.collect()
        }
        send("{\"type\":\"join\"}")
        send("{\"type\":\"guess\"}")
        send("{\"type\":\"join\"}", "urn:x-cast:com.example.other")
        #expect(stage.take().map { $0.text("type") } == ["joined", "guess"])
        #expect(stage.send("GET_STATUS") == nil)
        #expect(stage.receiver.sendToAll("{\"type\":\"news\"}", channel) == 1)
        stage.collect()
        #expect(stage.take().map { $0.text("type") } == ["news"])
    }

    @Test
    func offEndsTheAppAndACrashLeavesNoStatus() {
        let stage = CastStage()
        stage.launch()
        stage.load()
        _ = stage.take()
        stage.receiver.setActive(false, at: stage.now)
        stage.collect()
        #expect(stage.receiver.running == nil)
        let types = stage.take().map { $0.text("type") }
        #expect(types == ["MEDIA_STATUS", "CLOSE", "RECEIVER_STATUS"])
        stage.launch()
        stage.load()
        _ = stage.take()
        stage.receiver.crashApp()
        stage.collect()
        #expect(stage.take().map { $0.text("type") } == ["CLOSE", "RECEIVER_STATUS"])
    }

    @Test
    func faultsActOnOneMessage() {
        let stage = CastStage()
        stage.connect()
        var faults = CastFaults()
        faults.isBusy = true
        let answer = stage.send("LAUNCH", ["appId": "CC1AD845"], CastNamespace.receiver, faults: faults)
        #expect(answer?.text("reason") == "SYSTEM_ERROR")
        stage.launch()
        faults = CastFaults()
        faults.hasWrongRequestID = true
        #expect(stage.send("GET_STATUS", [:], CastNamespace.receiver, faults: faults) == nil)
        faults.ignoresVolume = true
        stage.send("SET_VOLUME", ["volume": .object(["level": 0.5])], CastNamespace.receiver, faults: faults)
        #expect(stage.receiver.volume.level == 1)
    }

    @Test
    func aConnectionHasALimitedNumberOfSenders() {
        let stage = CastStage()
        for number in 0..<100 {
            let message = CastMessage(
                from: "sender-\(number)",
                to: CastID.receiver,
                CastNamespace.connection,
                .text("{\"type\":\"CONNECT\"}")
            )
            stage.receiver.receive(message, from: 1, at: stage.now)
        }
        stage.receiver.setActive(true, at: stage.now)
        stage.collect()
        // One message for all senders of the connection.
        #expect(stage.take(1).count == 1)
    }
}
