import Foundation
import HAPCore
import TestSupport
import Testing

/// `hap serve --copies`: several servers in one process.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ManyServersCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func eachCopyIsASeparateAndStableAccessory() async throws {
        let (process, ready) = try await HapCommand.serving(copies: 12, in: folder)
        #expect(ready.map(\.name) == ["Kilgo Garage"] + (2...12).map { "Kilgo Garage \($0)" })
        #expect(ready.map(\.key) == ready.map(\.name))
        #expect(Set(ready.map(\.deviceID)).count == 12)
        #expect(Set(ready.map(\.port)).count == 12)
        #expect(Set(ready.map(\.setupCode)).count == 12)
        let outcome = try await process.terminate()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("12 servers, listening on 127.0.0.1:\n"))
        for server in ready {
            #expect(
                outcome.output.contains("port \(server.port)  setup code \(server.setupCode)  ready to be paired\n")
            )
        }
        let (again, stored) = try await HapCommand.serving(copies: 12, in: folder)
        #expect(stored == ready)
        #expect(try await again.terminate().status == 0)
    }

    @Test func bannerListsTwentyServersAndWhereToFindTheOthers() async throws {
        let (process, ready) = try await HapCommand.serving(copies: 22, in: folder)
        #expect(ready.count == 22)
        let outcome = try await process.terminate()
        #expect(outcome.output.components(separatedBy: "setup code").count - 1 == 20)
        #expect(outcome.output.contains("… and 2 more; --ready-file FILE lists them all."))
    }

    @Test func takenPortEndsAllServers() async throws {
        let (process, ready) = try await HapCommand.serving(in: folder)
        let other = try TemporaryFolder()
        let outcome = try await HapCommand.serve(in: other, "--copies", "4", "--port", "\(ready.port - 2)")
        #expect(outcome.status == 1)
        // Another process of this machine may use one of the neighboring ports.
        let ports = ready.port - 2...ready.port + 1
        #expect(ports.contains { outcome.errors.contains("Another program listens on 127.0.0.1 port \($0).") })
        #expect(outcome.withoutProgress.isOneSentence, "\(outcome)")
        #expect(try await process.terminate().status == 0)
    }
}
