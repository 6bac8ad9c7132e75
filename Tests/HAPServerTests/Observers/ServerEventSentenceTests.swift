import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import Testing

/// The sentences that people read of the events of a server.
@Suite struct ServerEventSentenceTests {
    private let id: CharacteristicID
    private let connection = ConnectionID(7)

    init() throws {
        id = try #require(CharacteristicID(1, 12))
    }

    private func text(_ event: ServerEvent) -> String? {
        event.sentence(ServerEventNames(characteristics: [id: "Door: State"]), peer: nil)
    }

    @Test func valuesHaveTheirCommonNames() throws {
        #expect(text(.valueChanged(id, .currentDoorState, 1, by: .device)) == "Door: State: Closed")
        #expect(
            text(.valueChanged(id, .targetDoorState, 0, by: .controller(connection))) == "Door: State: Open (by #7)"
        )
        #expect(text(.valueChanged(id, .brightness, 50, by: .device)) == "Door: State: 50 %")
        #expect(text(.valueChanged(id, .brightness, 50, by: .program)) == "Door: State: 50 % (by hap)")
        #expect(text(.valueChanged(id, .programmableSwitchEvent, nil, by: .device)) == "Door: State: pressed")
        let unnamed = try #require(CharacteristicID(1, 99))
        #expect(text(.valueChanged(unnamed, .brightness, 50, by: .device)) == "1.99 Brightness: 50 %")
        #expect(text(.valueChanged(id, .on, true, by: .device)) == "Door: State: true")
    }

    @Test func vendorValueHasItsDeclaredUnit() {
        let type = CharacteristicType(HAPUUID(high: 0x7E53_6242_341C_4862, low: 0xBE90_272C_E15B_D633))
        let event = ServerEvent.valueChanged(id, type, 0.5, by: .device)
        let metadata = CharacteristicMetadata(format: .float, unit: .seconds)
        #expect(
            event.sentence(ServerEventNames(characteristics: [id: "Fade"], metadata: [id: metadata]), peer: nil)
                == "Fade: 0.5 s"
        )
        #expect(event.sentence(ServerEventNames(characteristics: [id: "Fade"]), peer: nil) == "Fade: 0.5")
    }

    @Test(arguments: ["\n", "\r", "\u{1B}[2J", "\u{9B}2J", "\u{7}", "\0", "\u{2028}", "\u{7F}"])
    func controllerTextStaysOnItsLineWithoutTerminalControls(text: String) throws {
        let value = CharacteristicValue.string("a\(text)Setup code")
        let line = try #require(self.text(.valueChanged(id, .configuredName, value, by: .controller(connection))))
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{2028}" })
        #expect(line.contains(#"a\u{"#))
        #expect(line.contains("Setup code"))
    }

    @Test func failedRelistenReportsItsReasonAndRetry() {
        let line = text(.listeningFailed("127.0.0.1:5001 is in use."))
        #expect(line == "Not listening: 127.0.0.1:5001 is in use. The server tries again each second.")
        #expect(text(.listeningResumed) == "Listening again.")
    }

    @Test func aRefusedWriteNamesTheCharacteristicAndTheStatus() {
        #expect(
            text(.writeRefused(ConnectionID(7), id, .invalidValue))
                == "A write of Door: State by #7 was refused: -70410 (invalid value in request)."
        )
    }

    @Test func handlerErrorHasOneFullStopAndALimit() {
        #expect(text(.handlerFailed(id, "no port")) == "Door: State failed: no port.")
        #expect(text(.handlerFailed(id, String(repeating: "x", count: 1_000)))?.count == 221)
        #expect(text(.handlerFailed(id, "There is no port.")) == "Door: State failed: There is no port.")
    }

    @Test func lettersOfAllScriptsAreUnchanged() {
        let value = CharacteristicValue.string("Büro 車庫 👩‍🔧")
        #expect(text(.valueChanged(id, .configuredName, value, by: .device)) == "Door: State: Büro 車庫 👩‍🔧")
    }

    @Test func dataIsDescribedByItsLength() {
        #expect(
            text(.valueChanged(id, .setupEndpoints, .data([0x53, 0x45, 0x43]), by: .device)) == "Door: State: 3 bytes"
        )
    }

    @Test func controllerNameIsPrintable() throws {
        let controller = try #require(ControllerIdentifier([0x41, 0x1B, 0x0A, 0xFF]))
        #expect(text(.pairingAdded(controller, isAdmin: true)) == "Paired with controller A??? (admin).")
        #expect(text(.pairingAdded(controller, isAdmin: false)) == "Paired with controller A???.")
        #expect(text(.pairingRemoved(controller)) == "Controller A??? is no longer paired.")
    }

    @Test func faultIsReportedWhenAppliedAndWhenFinished() {
        #expect(
            text(.faultApplied("latency on accessory 2", on: "GET /characteristics"))
                == "Fault latency on accessory 2 was applied to GET /characteristics."
        )
        #expect(text(.faultFinished("latency on accessory 2")) == "Fault latency on accessory 2 has ended.")
        // The event of the fault already names it.
        #expect(text(.faultInjected(.announcement, .drop)) == nil)
    }

    @Test func frequentEventsHaveNoDescription() {
        let events: [ServerEvent] = [
            .connectionOpened(connection, peer: "p"), .requestReceived(connection, .get, path: "/accessories"),
            .responseSent(connection, .ok), .eventSent(connection, count: 1), .eventCoalesced(connection, id),
            .connectionClosed(connection, .peer), .connectionClosed(connection, .stopping),
            .connectionClosed(connection, .timeLimit),
            .connectionClosed(connection, .protocolViolation(ProtocolError(.http, "no request", at: "HTTP request"))),
        ]
        for event in events {
            #expect(text(event) == nil)
        }
    }

    @Test(arguments: [PairingErrorCode.authentication, .maxTries, .unavailable, .busy, .unknown, .backoff, .maxPeers])
    func refusedPairingHasAReason(_ error: PairingErrorCode) throws {
        let line = try #require(text(.pairSetupRefused(connection, error, failedProofs: 3)))
        #expect(line.hasPrefix("Connection #7: pairing was refused: "))
        #expect(line.hasSuffix("."))
        #expect(line.contains("3 of 100") == (error == .authentication))
    }

    @Test func missingDaemonIsReportedWithRemedyAndOneFullStop() throws {
        let line = try #require(text(.advertiserChanged(.unavailable(.noDaemon, retryIn: .seconds(1)))))
        #expect(line.hasPrefix("Network: not advertised. The Avahi daemon does not answer"))
        #expect(line.hasSuffix("by itself."))
        #expect(!line.contains(".."))
        #expect(
            text(.advertiserChanged(.advertised(name: "Garage", requested: "Garage")))
                == "Network: advertised as Garage."
        )
    }

    @Test func descriptionsContainNoSetupCode() throws {
        let code = try #require(SetupCode("101-48-005"))
        #expect(!"\(code)".contains("101"))
    }
}
