import Foundation
import HAPCore
import TestSupport

/// A garage that is killed while it starts for the first time.
enum FirstStart {
    /// Runs a round, which checks that the identity in a ready file stays valid.
    static func runRound(
        hap: String,
        folder: String,
        address: String,
        random: inout SeededRandom,
        responseTimes: inout ResponseTimes
    )
        throws -> Tally
    {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let command = TestBench.command(hap: hap, folder: folder, address: address)
        var serverUnderTest = try ServerUnderTest(command, folder: folder)
        var delay = Double.random(in: 0...1, using: &random)
        if Int.random(in: 0..<3, using: &random) == 0 {
            _ = try ReadyServer.wait(for: serverUnderTest, in: folder)
            delay *= 0.002
        } else {
            delay *= 1.2 * responseTimes["first start"]
        }
        let killPoint = KillPoint(serverUnderTest, in: .seconds(delay))
        _ = killPoint.waitForKill()
        _ = serverUnderTest.wait()
        let acknowledged = try ReadyServer(folder: folder)
        unlink(ReadyServer.file(in: folder))
        let begin = ContinuousClock.now
        serverUnderTest = try ServerUnderTest(command, folder: folder)
        let ready = try ReadyServer.wait(for: serverUnderTest, in: folder)
        var tally = Tally()
        tally.restartDuration = ContinuousClock.now - begin
        responseTimes.record("first start", tally.restartDuration)
        if let acknowledged {
            guard acknowledged.deviceID == ready.deviceID, acknowledged.port == ready.port else {
                throw TestFailure("the device ID or the port has changed after the first start")
            }
            tally.acknowledged = 1
        } else {
            tally.absent = 1
        }
        let view = try StoreSnapshot(folder: folder + "/state")
        guard view.deviceID.text == ready.deviceID else {
            throw TestFailure("the device IDs of the store and the server differ")
        }
        serverUnderTest.kill()
        _ = serverUnderTest.wait()
        try FileManager.default.removeItem(atPath: folder)
        return tally
    }
}
