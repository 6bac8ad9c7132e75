import AccessoryModel
import Foundation
import HAPCore
import HAPServer
import HostTestSupport
import Hosting
import TestSupport
import Testing

@testable import hap

@Suite struct EventLogTests {
    private let folder: TemporaryFolder
    private let file: FileHandle
    private let printer: LinePrinter
    private let log: EventLog

    init() throws {
        folder = try TemporaryFolder()
        file = try FileHandle(forUpdating: URL(fileURLWithPath: try folder.write("", to: "log")))
        printer = LinePrinter(descriptor: file.fileDescriptor)
        log = EventLog(on: printer)
    }

    /// Returns the lines without the times at their beginnings.
    private func events() throws -> [String] {
        try lines()
            .map { line in
                #expect(line.prefix(21).wholeMatch(of: #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  /#) != nil)
                return String(line.dropFirst(21))
            }
    }

    private func lines() throws -> [String] {
        log.flush()
        #expect(printer.flush(within: .seconds(60)))
        let text = try #require(FileManager.default.contents(atPath: folder("log")))
        return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }

    private func change(_ id: CharacteristicID, to value: Int) -> ServerEvent {
        .valueChanged(id, .brightness, .integer(value), by: .controller(ConnectionID(7)))
    }

    @Test func linesArePrintedInOrder() throws {
        for number in 0..<100 {
            printer.printLine("line \(number)")
        }
        #expect(try lines() == (0..<100).map { "line \($0)" })
    }

    @Test func nameFromAFileStaysOnItsLineWithoutTerminalControls() throws {
        let id = try #require(CharacteristicID(1, 20))
        log.setNames(ServerEventNames(characteristics: [id: "Sw\u{1B}]0;x\u{07}\r\nSpoofed\u{202E}: On"]))
        log.observe(change(id, to: 1))
        #expect(try events() == ["Sw?]0;x???Spoofed?: On: 1 % (by #7)"])
    }

    @Test func handlerErrorStaysOnItsLineWithoutTerminalControls() throws {
        let id = try #require(CharacteristicID(1, 20))
        log.setNames(ServerEventNames(characteristics: [id: "Lamp: On"]))
        log.observe(.handlerFailed(id, "no\u{1B}[2J\nport"))
        #expect(try events() == ["Lamp: On failed: no?[2J?port."])
    }

    @Test func burstIsCountedAndItsLastValuePrinted() throws {
        let id = try #require(CharacteristicID(1, 20))
        log.setNames(ServerEventNames(characteristics: [id: "Light: Brightness"]))
        for value in 1...1_000 {
            log.observe(change(id, to: value))
        }
        let lines = try events()
        // A busy machine may spread the storm over more than a second.
        #expect(lines.count <= 60)
        #expect(lines.prefix(5) == (1...5).map { "Light: Brightness: \($0) % (by #7)" }[...])
        #expect(lines.last?.hasPrefix("Light: Brightness: 1000 % (by #7)") == true)
        let leftOut = lines.reduce(0) { sum, line in
            sum + (line.firstMatch(of: /\((\d+) more left out\)$/).flatMap { Int($0.1) } ?? 0)
        }
        #expect(leftOut + lines.count == 1_000)
    }

    @Test func fiveChangesInASecondAreAllPrinted() throws {
        let id = try #require(CharacteristicID(1, 20))
        for value in 1...5 {
            log.observe(change(id, to: value))
        }
        #expect(try events().count == 5)
        #expect(try events().count == 5)
    }

    @Test func sixthChangeIsPrintedLaterWithoutACount() throws {
        let id = try #require(CharacteristicID(1, 20))
        for value in 1...6 {
            log.observe(change(id, to: value))
        }
        let lines = try events()
        #expect(lines.count == 6)
        #expect(lines.last?.hasSuffix("6 % (by #7)") == true)
    }

    @Test func burstOfOneCharacteristicHidesNoOther() throws {
        let ids = [CharacteristicID(1, 20), CharacteristicID(1, 21)].compactMap(\.self)
        for value in 1...100 {
            log.observe(change(ids[0], to: value))
        }
        log.observe(change(ids[1], to: 3))
        log.observe(.identifyRequested(.primary))
        let lines = try events()
        #expect(lines.contains { $0.hasPrefix("1.21 ") })
        #expect(lines.contains { $0.hasPrefix("Identify") })
    }

    private static let bursts: [@Sendable (ConnectionID) -> ServerEvent] = [
        { .protocolViolation($0, ProtocolError(.http, "no request", at: "HTTP request")) },
        { .pairVerifyRefused($0, .authentication) },
        { .pairSetupRefused($0, .authentication, failedProofs: 1) },
        { _ in .identifyRequested(.primary) },
        { .connectionClosed($0, .limit) },
        { .connectionClosed($0, .network("reset")) },
        { _ in .storeFailed(StoreError(.unavailable, reason: "Full.", remedy: "Free some space.")) },
    ]

    @Test(arguments: bursts.indices)
    func repeatedPeerEventsAreCounted(burst: Int) throws {
        for number in 1...1_000 {
            let id = ConnectionID(UInt64(number))
            log.observe(.connectionOpened(id, peer: "192.0.2.7"))
            log.observe(Self.bursts[burst](id))
            log.observe(.connectionClosed(id, .peer))
        }
        let lines = try events()
        // A busy machine may spread the storm over more than a second.
        #expect(lines.count <= 60)
        let leftOut = lines.reduce(0) { sum, line in
            sum + (line.firstMatch(of: /\((\d+) more left out\)$/).flatMap { Int($0.1) } ?? 0)
        }
        #expect(leftOut + lines.count == 1_000)
        // The last event is printed with its peer, although its connection is closed.
        let last = try #require(lines.last)
        #expect(!last.contains("#") || last.contains("#1000 from 192.0.2.7"), "\(last)")
    }

    @Test func burstOfOneKindHidesNoOther() throws {
        for number in 1...100 {
            log.observe(.pairVerifyRefused(ConnectionID(UInt64(number)), .authentication))
        }
        log.observe(.identifyRequested(.primary))
        #expect(try events().contains { $0.hasPrefix("Identify") })
    }

    @Test func stalledReaderIsNotAwaitedForever() throws {
        let pipe = try FullPipe()
        let printer = LinePrinter(descriptor: pipe.writeEnd.fileDescriptor)
        printer.printLine("a line")
        #expect(!printer.flush(within: .milliseconds(10)))
        let read = try pipe.drain(until: "a line\n")
        #expect(read.hasSuffix("a line\n"))
        #expect(printer.flush(within: .seconds(60)))
    }

    @Test func waitingLinesHaveAtMostSixteenMebibytes() throws {
        let (isWriting, mayWrite) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        printer.printLine(composedBy: {
            isWriting.signal()
            mayWrite.wait()
            return nil
        })
        isWriting.wait()
        let long = String(repeating: "a", count: 1 << 20)
        for _ in 0..<100 { printer.printLine(long) }
        mayWrite.signal()
        let lines = try lines()
        #expect(lines.count == 17)
        #expect(lines.last == "(84 lines left out)")
    }

    @Test func linesOfSeveralServersNameTheirServer() throws {
        let id = try #require(CharacteristicID(1, 20))
        for number in 1...2 {
            let log = EventLog(on: printer, title: "Kilgo Garage \(number)")
            log.setNames(ServerEventNames())
            log.observe(change(id, to: number))
        }
        #expect(
            try events() == [
                "Kilgo Garage 1: 1.20 Brightness: 1 % (by #7)", "Kilgo Garage 2: 1.20 Brightness: 2 % (by #7)",
            ]
        )
    }

    @Test func configurationNumberOfAnEditIsNotLogged() async throws {
        let host = try await AccessoryHost.garages(1)
        await log.observe(HostedServerChange.replacing)
        log.observe(.configurationChanged(2))
        #expect(try events() == [])
        await log.observe(HostedServerChange.replaced(try #require(host.servers.first)))
        log.observe(.configurationChanged(3))
        #expect(try events() == ["The structure has changed: configuration number 3."])
        await host.stop()
    }

    @Test func unreportedEventsPrintNoLine() throws {
        log.observe(.connectionOpened(ConnectionID(1), peer: "127.0.0.1"))
        log.observe(.eventSent(ConnectionID(1), count: 3))
        #expect(try events().isEmpty)
    }

    @Test func frequentEventsHaveNoSubject() throws {
        let (id, connection) = (try #require(CharacteristicID(1, 12)), ConnectionID(7))
        let events: [ServerEvent] = [
            .connectionOpened(connection, peer: "p"), .requestReceived(connection, .get, path: "/accessories"),
            .responseSent(connection, .ok), .eventSent(connection, count: 1), .eventCoalesced(connection, id),
            .connectionClosed(connection, .peer), .connectionClosed(connection, .stopping),
            .connectionClosed(connection, .timeLimit),
            .connectionClosed(connection, .protocolViolation(ProtocolError(.http, "no request", at: "HTTP request"))),
        ]
        for event in events { #expect(LogSubject(event) == nil) }
    }
}
