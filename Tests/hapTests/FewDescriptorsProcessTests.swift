import Foundation
import Testing

/// The commands of a process that may open only a few files.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FewDescriptorsProcessTests {
    private static func run(_ arguments: [String], limit: Int) async throws -> HapProcess.Outcome {
        // A trap of the process would write a core file on some machines.
        let wrapper = ["bash", "-c", "ulimit -c 0 -n \(limit); exec \"$@\"", "bash"]
        return try await HapProcess(arguments, wrapper: wrapper).outcome()
    }

    @Test(arguments: [
        ["serve", "--port", "0", "--bind", "127.0.0.1"], ["pair", "127.0.0.1:9", "--code", "101-48-005"],
        ["get", "garage", "On"], ["discover"], ["home"], ["run", "none.yaml"], ["doctor"], ["types", "lightbulb"],
    ])
    func tooFewDescriptorsEndEveryCommandWithASentence(arguments: [String]) async throws {
        for limit in [5, 12, 16, 20] {
            let outcome = try await Self.run(arguments, limit: limit)
            #expect(outcome.status == 1, "\(limit): \(outcome)")
            #expect(outcome.isOneSentence, "\(limit): \(outcome)")
            #expect(outcome.errors.contains("ulimit -n"), "\(outcome)")
        }
    }

    @Test func aLowSoftLimitIsRaised() async throws {
        let wrapper = ["bash", "-c", "ulimit -c 0; ulimit -S -n 12; exec \"$@\"", "bash"]
        #expect(try await HapProcess(["types", "lightbulb"], wrapper: wrapper).outcome().status == 0)
    }
}
