import AccessoryModel
import Foundation
import HAPCore
import HAPServer
import InMemoryLogging
import Logging
import TestSupport
import Testing

/// The log entries of a server.
@Suite struct LoggingObserverTests {
    private static func logger(_ level: Logger.Level) -> (Logger, InMemoryLogHandler) {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = level
        return (logger, handler)
    }

    @Test func aWriteIsLoggedWithItsServerConnectionControllerAndCharacteristic() async throws {
        let (logger, log) = Self.logger(.trace)
        let store = InMemoryStore.withIdentity(PairingTable(pairings: [Fixture.pairing]))
        let server = try await AccessoryServer.start(
            .testing,
            accessories: [TestAccessory.accessory()],
            store: store,
            discovery: nil,
            logger: logger
        )
        let controller = try await TestController.connect(to: await server.information.port)
        try await controller.verify()
        let key = CharacteristicKey(
            accessory: TestAccessory.key,
            service: ServiceKey(TestAccessory.service),
            type: TestAccessory.first
        )
        let first = try #require(await server.id(of: key))
        #expect(try await controller.put(2, to: first).status == 204)
        await server.stop()
        let entry = try #require(log.entries.first { $0.message == "Value changed" })
        #expect(entry.level == .debug)
        #expect(
            entry.metadata == [
                "server": .string(TestAccessory.key), "connection": .stringConvertible(UInt64(1)),
                "controller": .string(Fixture.controller.identifier.description),
                "characteristic": .string(first.description), "type": .string("\(TestAccessory.first)"), "value": "2",
                "origin": "controller",
            ]
        )
        let used = try #require(log.entries.first { $0.message == "Characteristic used" })
        #expect(used.metadata["characteristic"] == .string(first.description))
        let levels = Set(log.entries.map(\.level))
        #expect(levels == [.trace, .debug, .info])
    }

    /// `HAP_WRITE_FIXTURES=1 swift test --filter LoggingObserverTests` writes the table.
    @Test func guideListsEveryKindOfEntry() throws {
        let (logger, log) = Self.logger(.trace)
        let observer = LoggingObserver(logger, server: "Lamp")
        for event in ServerEvent.examples { observer.observe(event) }
        #expect(log.entries.count == ServerEvent.examples.count)
        let common: Set = ["server", "connection", "controller", "characteristic"]
        var rows: [String] = []
        for message in log.entries.map(\.message) where !rows.contains(where: { $0.hasPrefix("| \(message) |") }) {
            let entries = log.entries.filter { $0.message == message }
            let levels = Set(entries.map(\.level)).sorted().map(\.rawValue).joined(separator: ", ")
            let keys = Set(entries.flatMap(\.metadata.keys)).subtracting(common).sorted()
            rows.append("| \(message) | \(levels) | \(keys.map { "`\($0)`" }.joined(separator: ", ")) |\n")
        }
        let written = "| Message | Level | Metadata |\n|---|---|---|\n" + rows.joined()
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Server/HAPServer/HAPServer.docc/ObservingAServer.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let begin = try #require(text.range(of: "<!-- entries: begin -->\n"))
        let end = try #require(text.range(of: "<!-- entries: end -->\n"))
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            let whole = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: written)
            try whole.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(text[begin.upperBound..<end.lowerBound] == written, "write it again with HAP_WRITE_FIXTURES=1")
        }
    }

    @Test func handlerTextIsLoggedOnOneLimitedLine() throws {
        let (logger, log) = Self.logger(.warning)
        let observer = LoggingObserver(logger, server: "Lamp\nERROR forged")
        let id = CharacteristicID(aid: .primary, iid: .accessoryInformation)
        observer.observe(.handlerFailed(id, "\u{1B}[2Jgone\nERROR forged" + String(repeating: "x", count: 100_000)))
        observer.observe(.handlerFailed(id, "later"))
        observer.observe(.eventSent(ConnectionID(1), count: 1))
        #expect(log.entries.count == 2)
        let metadata = try #require(log.entries.first).metadata
        for case .string(let text) in metadata.values {
            #expect(text.count <= 200 && !text.unicodeScalars.contains(where: \.isTerminalControl))
        }
    }
}
