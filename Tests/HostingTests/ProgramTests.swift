import AccessoryModel
import Foundation
import HAPCore
import HAPServer
import Simulation
import TestSupport
import Testing

@testable import Hosting

/// Programs of drivers, and what they write.
@Suite(.timeLimit(.minutes(5)))
struct ProgramTests {
    private static func lines(of chunks: [String], limit: Int = 8) -> [ProgramLine] {
        var splitter = LineSplitter(limit: limit)
        var lines: [ProgramLine] = []
        for chunk in chunks {
            Array(chunk.utf8).withUnsafeBytes { splitter.append($0) }
            while let line = splitter.next() { lines.append(line) }
        }
        if let line = splitter.next(atEnd: true) { lines.append(line) }
        return lines
    }

    @Test
    func outputIsDividedIntoLinesOfLimitedLength() {
        #expect(Self.lines(of: ["a\nbc", "d\n\ne"]) == [.text("a"), .text("bcd"), .text(""), .text("e")])
        #expect(Self.lines(of: ["12345678\n"]) == [.text("12345678")])
        let long = Self.lines(of: ["123456789", "1234", "\nnext\n"])
        #expect(long == [.tooLong(beginning: "12345678"), .text("next")])
    }

    @Test
    func aMessageHasItsPartsAndNothingElseIsOne() throws {
        let message = try #require(
            ProgramMessage(#"{"write":7,"status":-70403,"statuses":{"Hue":0},"values":{"Hue":3},"later":[]}"#)
        )
        #expect(message.write == 7)
        #expect(message.status == .busy)
        #expect(message.statuses == ["Hue": .success])
        #expect(message.values == ["Hue": 3])
        let event = try #require(ProgramMessage(#"{"event":"hot","with":{"celsius":80,"where":"roof"}}"#))
        #expect(event.details == ["celsius": "80", "where": "roof"])
        let readings = try #require(ProgramMessage(#"{"readings":{"uptime":5,"state":"idle"}}"#)).readings
        #expect(readings == [DeviceReading("uptime", 5, unit: ""), DeviceReading("state", text: "idle")])
        for text in ["", "garbage", "7", "[]", "{}", #"{"values":{}}"#, #"{"write":-1}"#, #"{"write":"7"}"#] {
            #expect(ProgramMessage(text) == nil, "\(text)")
        }
    }

    @Test
    func servicesOfTheSameIDHaveDifferentNames() {
        func service(_ type: ServiceType) -> Service {
            var service = Service(type, subtype: "A", characteristics: [Characteristic(cataloged: .on, value: false)])
            service.isDriven = true
            return service
        }
        let accessory = Accessory(key: "Shed", services: [service(.switch), service(.outlet)])
        let names = ProgramNames(DrivenAccessory(accessory))
        let keys = accessory.services.map { CharacteristicKey(accessory: "Shed", service: $0.key, type: .on) }
        #expect(keys.map(names.name) == ["Switch A.On", "Outlet A.On"])
        #expect(names.key(named: "Outlet A.On") == keys[1])
        #expect(names.key(named: "A.On") == nil)
        #expect(names.key(named: "On") == nil)
    }

    @Test
    func aNumberOfThingsIsAdmittedInEachSecondAndTheRestIsCounted() {
        var limit = RateLimit(perSecond: 2)
        let start = MonotonicInstant.zero
        #expect((0..<5).map { _ in limit.admit(at: start).isAdmitted } == [true, true, false, false, false])
        #expect(limit.skipped == 3)
        let next = limit.admit(at: start.advanced(by: .seconds(1)))
        #expect(next.isAdmitted && next.skipped == 3)
        #expect(limit.admit(at: start.advanced(by: .seconds(2))).skipped == 0)
    }

    // MARK: Running programs

    private static func output(_ arguments: [String], environment: [String: String] = [:]) async throws -> [String] {
        let (bytes, _) = try await RunningProgram.output(
            of: arguments,
            environment: environment,
            timeLimit: .seconds(60)
        )
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test
    func aProgramGetsThreeDescriptorsAGroupOfItsOwnAndNoShell() async throws {
        let descriptors = (0..<8).map { _ in open("/dev/null", O_RDONLY) }
        defer { for descriptor in descriptors { close(descriptor) } }
        let text = """
            import os, sys
            print([f for f in sorted(os.listdir('/proc/self/fd')) if os.path.exists('/proc/self/fd/' + f)])
            print(os.getpid() == os.getpgrp(), sys.argv[1:])
            """
        let lines = try await Self.output(["python3", "-c", text, "$HOME; ls", ""])
        #expect(lines == ["['0', '1', '2']", "True ['$HOME; ls', '']"])
    }

    @Test
    func aProgramGetsOnlyAFewVariables() async throws {
        setenv("HAP_SECRET_OF_THE_TEST", "x", 1)
        defer { unsetenv("HAP_SECRET_OF_THE_TEST") }
        let lines = try await Self.output(["env"], environment: ["EXTRA": "a b"])
        let names = Set(lines.compactMap { $0.split(separator: "=").first.map(String.init) })
        #expect(names.isSubset(of: ["PATH", "HOME", "LANG", "TZ", "EXTRA"]))
        #expect(lines.contains("EXTRA=a b"))
    }

    /// A child that holds the output open neither delays the end nor survives it.
    @Test
    func theChildrenOfAProgramEndWithIt() async throws {
        let lines = try await Self.output(["sh", "-c", "sleep 600 & echo $!; exit 3"])
        let child = try #require(lines.first.flatMap { Int32($0) })
        try await eventually("the child has ended") { kill(child, 0) != 0 || Self.isZombie(child) }
    }

    private static func isZombie(_ process: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status?.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }

    @Test
    func aProgramThatDoesNotReadIsNotWaitedFor() async throws {
        try await RunningProgram.run(["sleep", "600"]) { program async throws in
            let line = String(repeating: "x", count: RunningProgram.longestInputLine)
            let error = await #expect(throws: ProgramError.self) {
                try await program.send(line, timeLimit: .milliseconds(50))
            }
            #expect(error == .tookTooLong(.milliseconds(50)))
        }
    }

    @Test
    func aProgramThatCannotStartIsAnError() async throws {
        for arguments in [[], [""], ["/nonexistent/program"], ["no-such-program-of-hap"], ["/etc/passwd"], ["a\u{0}"]] {
            await #expect(throws: ProgramError.self) { try await Self.output(arguments) }
        }
    }
}
