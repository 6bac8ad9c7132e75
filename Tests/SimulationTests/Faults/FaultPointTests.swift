import AccessoryModel
import HAPCore
import Simulation
import Testing

/// What each fault answers at each point, as a table.
struct FaultPointTests {
    private static let light = ServiceKey(.lightbulb)
    private static let ground = FaultGround(
        services: [.lamp: light, .door: ServiceKey(.garageDoorOpener)],
        booleans: [.lamp]
    )
    private static let message = Array(
        "HTTP/1.1 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 2\r\n\r\n{}".utf8
    )
    private static let event = Array(
        "EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 2\r\n\r\n{}".utf8
    )

    private static let read = RequestSubject(.get, path: "/characteristics", characteristics: [.door, .lamp])
    private static let write = RequestSubject(.put, path: "/characteristics", characteristics: [.lamp])
    private static let all = RequestSubject(.get, path: "/accessories")
    private static let pairSetup = RequestSubject(.post, path: "/pair-setup")

    static let answers: [(FaultEffect, FaultScope, InterferencePoint, Interruption)] = [
        (.silence(.any), .server, .request(.one, all), .hang),
        (.silence(.any), .accessory(.second), .request(.one, all), .pass),
        (.silence(.any), .accessory(.second), .request(.one, read), .hang),
        (.silence(.any), .accessory(.primary), .request(.one, write), .pass),
        (.silence(.reads), .server, .request(.one, read), .hang),
        (.silence(.reads), .server, .request(.one, write), .pass),
        (.silence(.reads), .server, .request(.one, all), .pass),
        (.silence(.writes), .server, .request(.one, write), .hang),
        (.silence(.any), .service(.second, light), .request(.one, write), .hang),
        (.silence(.any), .service(.primary, light), .request(.one, write), .pass),
        (.silence(.any), .characteristic(.door), .request(.one, read), .hang),
        (.silence(.any), .characteristic(.door), .request(.one, write), .pass),
        (.slowPairSetup(.seconds(4)), .server, .request(.one, pairSetup), .delay(.seconds(4))),
        (.slowPairSetup(.seconds(4)), .server, .request(.one, all), .pass),
        (.networkLoss(.silence), .server, .request(.one, all), .hang),
        (.networkLoss(.refuse), .server, .request(.one, all), .pass),

        (.status(.timedOut, .any), .server, .item(.one, .lamp, isWrite: true), .fail(.timedOut)),
        (.status(.timedOut, .reads), .server, .item(.one, .lamp, isWrite: true), .pass),
        (.status(.timedOut, .reads), .server, .item(.one, .lamp, isWrite: false), .fail(.timedOut)),
        (.status(.timedOut, .writes), .server, .item(.one, .lamp, isWrite: false), .pass),
        (.status(.timedOut, .any), .characteristic(.door), .item(.one, .lamp, isWrite: true), .pass),
        (.unreachable, .accessory(.second), .item(.one, .lamp, isWrite: false), .fail(.unableToPerform)),
        (.unreachable, .accessory(.second), .item(.one, .door, isWrite: false), .pass),
        (.unreachable, .accessory(.second), .notice(.one, .lamp, .subscriber), .drop),

        (.halfResponse(.any), .server, .response(.one, all, message), .transmit(.init(isHalf: true, ending: .silence))),
        (.halfResponse(.writes), .server, .response(.one, read, message), .pass),
        (.halfResponse(.any), .characteristic(.lamp), .response(.one, all, message), .pass),
        (
            .resetInResponse(.any), .server, .response(.one, all, message),
            .transmit(.init(isHalf: true, ending: .reset))
        ),
        (.corruptFrame, .server, .response(.one, all, message), .transmit(.init(isCorrupt: true))),
        (.corruptFrame, .server, .response(.one, pairSetup, message), .pass),
        (.corruptFrame, .accessory(.second), .response(.one, all, message), .pass),

        (.dropEvents, .server, .notice(.one, .lamp, .subscriber), .drop),
        (.dropEvents, .server, .notice(.one, .lamp, .writer), .pass),
        (.dropEvents, .characteristic(.door), .notice(.one, .lamp, .subscriber), .pass),
        (.delayEvents(.seconds(2)), .server, .notice(.one, .lamp, .subscriber), .delay(.seconds(2))),
        (.delayEvents(.seconds(2)), .server, .notice(.one, .lamp, .unsubscribed), .pass),
        (.echoEvents, .server, .notice(.one, .lamp, .writer), .insist),
        (.echoEvents, .server, .notice(.one, .lamp, .unsubscribed), .pass),
        (.quirk(.echoedEvents), .server, .notice(.one, .lamp, .writer), .insist),
        (.eventsAfterUnsubscribe, .server, .notice(.one, .lamp, .unsubscribed), .insist),
        (.eventsAfterUnsubscribe, .server, .notice(.one, .lamp, .subscriber), .pass),
        (.networkLoss(.silence), .server, .notice(.one, .lamp, .subscriber), .drop),
        (.duplicateEvents, .server, .event(.one, [.lamp], event), .transmit(.init(count: 2))),
        (.duplicateEvents, .characteristic(.door), .event(.one, [.lamp], event), .pass),
        (.networkLoss(.silence), .server, .event(.one, [.lamp], event), .drop),
        (.networkLoss(.silence), .server, .response(.one, all, message), .drop),

        (.refuseConnections, .server, .accept(open: 1), .reset),
        (.connectionLimit(2), .server, .accept(open: 2), .pass),
        (.connectionLimit(2), .server, .accept(open: 3), .drop),
        (.connectionLimit(0), .server, .accept(open: 1), .drop),
        (.networkLoss(.refuse), .server, .accept(open: 1), .reset),
        (.networkLoss(.silence), .server, .accept(open: 1), .pass),
        (.reboot(away: .seconds(1)), .server, .accept(open: 1), .reset),
        (.vanish, .server, .announcement, .pass),
        (.quirk(.splitSegments(bytes: 7)), .server, .event(.one, [.lamp], event), .transmit(.init(pieceSize: 7))),
        (.quirk(.splitSegments(bytes: 7)), .server, .response(.one, all, message), .transmit(.init(pieceSize: 7))),
        (.quirk(.coalescing(.none)), .server, .event(.one, [.lamp], event), .pass),
    ]

    @Test(arguments: answers.indices)
    func aFaultAnswersWhereItShouldAndNowhereElse(index: Int) {
        let (effect, scope, point, expected) = Self.answers[index]
        var board = FaultBoard(ground: Self.ground)
        #expect(board.interruption(at: point, now: .zero).0 == .pass)
        board.add(Fault(effect, on: scope), at: .zero)
        #expect(board.interruption(at: point, now: .zero).0 == expected)
        _ = board.clear { _ in true }
        #expect(board.interruption(at: point, now: .zero).0 == .pass)
    }

    static let conditions: [([FaultEffect], ServerConditions)] = [
        ([], .init()),
        ([.networkLoss(.refuse)], .init(presence: .refusing)),
        ([.networkLoss(.silence)], .init(presence: .silent)),
        ([.networkLoss(.silence), .reboot(away: .seconds(1)), .networkLoss(.refuse)], .init(presence: .rebooting)),
        ([.vanish], .init(isAnnounced: false)),
        ([.configurationNumber(0), .statusFlag(4)], .init(alteration: .init(configurationNumber: 0, statusFlags: 4))),
        ([.wrongPort(9), .wrongPort(10)], .init(alteration: .init(port: 10))),
        ([.quirk(.coalescing(.quarterSecond))], .init(eventTiming: .collected(.milliseconds(250)))),
        ([.quirk(.coalescing(.halfSecond))], .init(eventTiming: .collected(.milliseconds(500)))),
        ([.quirk(.coalescing(.none))], .init(eventTiming: .single)),
        ([.latency(.zero ... .zero, .any), .dropEvents], .init()),
    ]

    @Test(arguments: conditions.indices)
    func whatLastsIsACondition(index: Int) {
        let (effects, expected) = Self.conditions[index]
        var board = FaultBoard()
        for effect in effects {
            board.add(Fault(effect), at: .zero)
        }
        #expect(board.conditions == expected)
        _ = board.clear { _ in true }
        #expect(board.conditions == ServerConditions())
    }

    @Test func aPathOfAStrangerIsToldByItsBeginning() {
        var board = FaultBoard()
        board.add(Fault(.silence(.any)), at: .zero)
        let path = "/" + String(repeating: "a", count: 16_000)
        let news = board.interruption(at: .request(.one, RequestSubject(.get, path: path)), now: .zero).news
        #expect(news == [.acts(Fault(.silence(.any)), on: String("GET \(path)".prefix(100)))])
    }

    @Test func aQuirkIsToldOnceAndAFaultEachTime() {
        var board = FaultBoard()
        #expect(board.add(Fault(.quirk(.oddHeaderCase)), at: .zero).news.count == 1)
        #expect(board.add(Fault(.halfResponse(.any)), at: .zero).news == [])
        for _ in 0..<3 {
            let news = board.interruption(at: .response(.one, Self.all, Self.message), now: .zero).news
            #expect(news.map(\.description) == ["Fault halfResponse acts on the answer to GET /accessories."])
        }
    }

    @Test func aDamagedAnswerKeepsItsQuirks() throws {
        var board = FaultBoard()
        board.add(Fault(.quirk(.splitSegments(bytes: 3))), at: .zero)
        board.add(Fault(.halfResponse(.any)), at: .zero)
        board.add(Fault(.corruptFrame), at: .zero)
        let answer = board.interruption(at: .response(.one, Self.all, Self.message), now: .zero).0
        #expect(answer == .transmit(Transmission(isHalf: true, pieceSize: 3, ending: .silence)))
    }
}
