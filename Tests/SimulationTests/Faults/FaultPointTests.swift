import AccessoryModel
import HAPCore
import Simulation
import Testing

/// A table of the decision of each fault at each point.
struct FaultPointTests {
    private static let light = ServiceKey(.lightbulb)
    private static let ground = FaultContext(
        services: [.lamp: light, .door: ServiceKey(.garageDoorOpener)],
        booleans: [.lamp]
    )
    private static let message = Array(
        "HTTP/1.1 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 2\r\n\r\n{}".utf8
    )
    private static let event = Array(
        "EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 2\r\n\r\n{}".utf8
    )

    private static let read = RequestSummary(.get, path: "/characteristics", characteristics: [.door, .lamp])
    private static let write = RequestSummary(.put, path: "/characteristics", characteristics: [.lamp])
    private static let all = RequestSummary(.get, path: "/accessories")
    private static let pairSetup = RequestSummary(.post, path: "/pair-setup")

    static let responses: [(FaultEffect, FaultScope, FaultInjectionPoint, FaultDecision)] = [
        (.silence(.any), .server, .request(.one, all), .hang),
        (.silence(.any), .accessory(.second), .request(.one, all), .proceed),
        (.silence(.any), .accessory(.second), .request(.one, read), .hang),
        (.silence(.any), .accessory(.primary), .request(.one, write), .proceed),
        (.silence(.reads), .server, .request(.one, read), .hang),
        (.silence(.reads), .server, .request(.one, write), .proceed),
        (.silence(.reads), .server, .request(.one, all), .proceed),
        (.silence(.writes), .server, .request(.one, write), .hang),
        (.silence(.any), .service(.second, light), .request(.one, write), .hang),
        (.silence(.any), .service(.primary, light), .request(.one, write), .proceed),
        (.silence(.any), .characteristic(.door), .request(.one, read), .hang),
        (.silence(.any), .characteristic(.door), .request(.one, write), .proceed),
        (.slowPairSetup(.seconds(4)), .server, .request(.one, pairSetup), .delay(.seconds(4))),
        (.slowPairSetup(.seconds(4)), .server, .request(.one, all), .proceed),
        (.networkLoss(.silence), .server, .request(.one, all), .hang),
        (.networkLoss(.refuse), .server, .request(.one, all), .proceed),

        (.status(.timedOut, .any), .server, .characteristicAccess(.one, .lamp, isWrite: true), .fail(.timedOut)),
        (.status(.timedOut, .reads), .server, .characteristicAccess(.one, .lamp, isWrite: true), .proceed),
        (.status(.timedOut, .reads), .server, .characteristicAccess(.one, .lamp, isWrite: false), .fail(.timedOut)),
        (.status(.timedOut, .writes), .server, .characteristicAccess(.one, .lamp, isWrite: false), .proceed),
        (.status(.timedOut, .any), .characteristic(.door), .characteristicAccess(.one, .lamp, isWrite: true), .proceed),
        (
            .unreachable, .accessory(.second), .characteristicAccess(.one, .lamp, isWrite: false),
            .fail(.unableToPerform)
        ),
        (.unreachable, .accessory(.second), .characteristicAccess(.one, .door, isWrite: false), .proceed),
        (.unreachable, .accessory(.second), .notification(.one, .lamp, .subscriber), .drop),

        (.halfResponse(.any), .server, .response(.one, all, message), .transmit(.init(isHalf: true, ending: .stall))),
        (.halfResponse(.writes), .server, .response(.one, read, message), .proceed),
        (.halfResponse(.any), .characteristic(.lamp), .response(.one, all, message), .proceed),
        (
            .resetInResponse(.any), .server, .response(.one, all, message),
            .transmit(.init(isHalf: true, ending: .reset))
        ),
        (.corruptFrame, .server, .response(.one, all, message), .transmit(.init(isCorrupt: true))),
        (.corruptFrame, .server, .response(.one, pairSetup, message), .proceed),
        (.corruptFrame, .accessory(.second), .response(.one, all, message), .proceed),

        (.dropEvents, .server, .notification(.one, .lamp, .subscriber), .drop),
        (.dropEvents, .server, .notification(.one, .lamp, .writer), .proceed),
        (.dropEvents, .characteristic(.door), .notification(.one, .lamp, .subscriber), .proceed),
        (.delayEvents(.seconds(2)), .server, .notification(.one, .lamp, .subscriber), .delay(.seconds(2))),
        (.delayEvents(.seconds(2)), .server, .notification(.one, .lamp, .unsubscribed), .proceed),
        (.echoEvents, .server, .notification(.one, .lamp, .writer), .notifyAnyway),
        (.echoEvents, .server, .notification(.one, .lamp, .unsubscribed), .proceed),
        (.quirk(.echoedEvents), .server, .notification(.one, .lamp, .writer), .notifyAnyway),
        (.eventsAfterUnsubscribe, .server, .notification(.one, .lamp, .unsubscribed), .notifyAnyway),
        (.eventsAfterUnsubscribe, .server, .notification(.one, .lamp, .subscriber), .proceed),
        (.networkLoss(.silence), .server, .notification(.one, .lamp, .subscriber), .drop),
        (.duplicateEvents, .server, .eventMessage(.one, [.lamp], event), .transmit(.init(count: 2))),
        (.duplicateEvents, .characteristic(.door), .eventMessage(.one, [.lamp], event), .proceed),
        (.networkLoss(.silence), .server, .eventMessage(.one, [.lamp], event), .drop),
        (.networkLoss(.silence), .server, .response(.one, all, message), .drop),

        (.refuseConnections, .server, .accept(openConnections: 1), .reset),
        (.connectionLimit(2), .server, .accept(openConnections: 2), .proceed),
        (.connectionLimit(2), .server, .accept(openConnections: 3), .drop),
        (.connectionLimit(0), .server, .accept(openConnections: 1), .drop),
        (.networkLoss(.refuse), .server, .accept(openConnections: 1), .reset),
        (.networkLoss(.silence), .server, .accept(openConnections: 1), .proceed),
        (.reboot(away: .seconds(1)), .server, .accept(openConnections: 1), .reset),
        (.vanish, .server, .announcement, .proceed),
        (
            .quirk(.splitSegments(bytes: 7)), .server, .eventMessage(.one, [.lamp], event),
            .transmit(.init(pieceSize: 7))
        ),
        (.quirk(.splitSegments(bytes: 7)), .server, .response(.one, all, message), .transmit(.init(pieceSize: 7))),
        (.quirk(.coalescing(.none)), .server, .eventMessage(.one, [.lamp], event), .proceed),
        (.quirk(.requestSize(maximum: 1_023)), .server, .request(.one, large), .hang),
        (.quirk(.requestSize(maximum: 1_024)), .server, .request(.one, large), .proceed),
        (.quirk(.pathSize(maximum: 512)), .server, .request(.one, large), .proceed),
        (
            .quirk(.pathSize(maximum: 511)), .server, .request(.one, large),
            .replace(Array("HTTP/1.1 414 URI Too Long\r\nContent-Length: 0\r\n\r\n".utf8))
        ),
        (.quirk(.readSize(maximum: 2)), .server, .request(.one, read), .proceed),
        (
            .quirk(.readSize(maximum: 1)), .server, .request(.one, read),
            .replace(bytes(.failure(.multiStatus, .outOfResources)))
        ),
        (.quirk(.readSize(maximum: 1)), .server, .request(.one, subscription), .proceed),
        (.quirk(.subscriptionsByAccessory), .server, .request(.one, subscription), .replace(noContent)),
        (.quirk(.subscriptionsByAccessory), .server, .request(.one, trueWrite), .proceed),
        (.quirk(.ignoredTrue), .server, .request(.one, trueWrite), .replace(noContent)),
        (.quirk(.ignoredTrue), .server, .request(.one, subscription), .proceed),
        (.quirk(.lengthBeforeType), .server, .request(.one, large), .replace(bytes(HTTPResponse(.badRequest)))),
        (.quirk(.lengthBeforeType), .server, .request(.one, read), .proceed),
        (.quirk(.hostWithoutPort), .server, .request(.one, large), .replace(bytes(HTTPResponse(.badRequest)))),
        (.quirk(.hostWithoutPort), .server, .request(.one, read), .proceed),
    ]

    private static let large: RequestSummary = {
        var summary = all
        summary.form.byteCount = 1_024
        summary.form.targetByteCount = 512
        summary.form.hasTypeBeforeLength = true
        summary.form.hasPortInHost = true
        return summary
    }()
    private static let trueWrite = request([CharacteristicWriteItem(CharacteristicAddress(.lamp), value: true)])
    private static let subscription = request([
        CharacteristicWriteItem(CharacteristicAddress(.lamp), ev: true),
        CharacteristicWriteItem(CharacteristicAddress(.door), ev: true),
    ])
    private static let noContent = bytes(HTTPResponse(.noContent))

    private static func request(_ writes: [CharacteristicWriteItem]) -> RequestSummary {
        var summary = RequestSummary(
            .put,
            path: "/characteristics",
            characteristics: writes.compactMap(\.address.id)
        )
        summary.writes = writes
        return summary
    }

    private static func bytes(_ response: HTTPResponse) -> [UInt8] {
        var bytes: [UInt8] = []
        response.append(to: &bytes)
        return bytes
    }

    @Test(arguments: responses.indices)
    func aFaultActsOnlyAtItsPoint(index: Int) {
        let (effect, scope, point, expected) = Self.responses[index]
        var board = FaultRegistry(context: Self.ground)
        #expect(board.decision(at: point, now: .zero).0 == .proceed)
        board.add(Fault(effect, on: scope), at: .zero)
        #expect(board.decision(at: point, now: .zero).0 == expected)
        _ = board.clear { _ in true }
        #expect(board.decision(at: point, now: .zero).0 == .proceed)
    }

    static let conditions: [([FaultEffect], ServerConditions)] = [
        ([], .init()),
        ([.networkLoss(.refuse)], .init(presence: .refusing)),
        ([.networkLoss(.silence)], .init(presence: .unresponsive)),
        ([.networkLoss(.silence), .reboot(away: .seconds(1)), .networkLoss(.refuse)], .init(presence: .rebooting)),
        ([.vanish], .init(isAnnounced: false)),
        ([.configurationNumber(0), .statusFlag(4)], .init(alteration: .init(configurationNumber: 0, statusFlags: 4))),
        ([.wrongPort(9), .wrongPort(10)], .init(alteration: .init(port: 10))),
        ([.quirk(.coalescing(.quarterSecond))], .init(eventTiming: .batched(.milliseconds(250)))),
        ([.quirk(.coalescing(.halfSecond))], .init(eventTiming: .batched(.milliseconds(500)))),
        ([.quirk(.coalescing(.none))], .init(eventTiming: .immediate)),
        ([.latency(.zero ... .zero, .any), .dropEvents], .init()),
    ]

    @Test(arguments: conditions.indices)
    func lastingEffectsAreConditions(index: Int) {
        let (effects, expected) = Self.conditions[index]
        var board = FaultRegistry()
        for effect in effects {
            board.add(Fault(effect), at: .zero)
        }
        #expect(board.conditions == expected)
        _ = board.clear { _ in true }
        #expect(board.conditions == ServerConditions())
    }

    @Test func aLongPathIsTruncatedInTheEvent() {
        var board = FaultRegistry()
        board.add(Fault(.silence(.any)), at: .zero)
        let path = "/" + String(repeating: "a", count: 16_000)
        let news = board.decision(at: .request(.one, RequestSummary(.get, path: path)), now: .zero).news
        #expect(news == [.applied(Fault(.silence(.any)), on: String("GET \(path)".prefix(100)))])
    }

    @Test func aQuirkIsReportedOnceAndAFaultEachTime() {
        var board = FaultRegistry()
        #expect(board.add(Fault(.quirk(.oddHeaderCase)), at: .zero).news.count == 1)
        #expect(board.add(Fault(.halfResponse(.any)), at: .zero).news == [])
        for _ in 0..<3 {
            let news = board.decision(at: .response(.one, Self.all, Self.message), now: .zero).news
            #expect(news.map(\.description) == ["Fault halfResponse was applied to the answer to GET /accessories."])
        }
    }

    @Test func aDamagedResponseKeepsItsQuirks() throws {
        var board = FaultRegistry()
        board.add(Fault(.quirk(.splitSegments(bytes: 3))), at: .zero)
        board.add(Fault(.halfResponse(.any)), at: .zero)
        board.add(Fault(.corruptFrame), at: .zero)
        let response = board.decision(at: .response(.one, Self.all, Self.message), now: .zero).0
        #expect(response == .transmit(Transmission(isHalf: true, pieceSize: 3, ending: .stall)))
    }
}
