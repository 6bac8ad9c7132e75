import Foundation
import HAPCore
import TestSupport

/// A garage that is killed while it starts for the first time.
enum FirstStart {
    /// Whoever has seen the ready file may rely on the identity in it.
    static func round(hap: String, folder: String, place: String, random: inout SeededGenerator, pace: inout Pace)
        throws -> Tally
    {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let command = Lab.command(hap: hap, folder: folder, place: place)
        var victim = try Victim(command, folder: folder)
        var delay = Double.random(in: 0...1, using: &random)
        if Int.random(in: 0..<3, using: &random) == 0 {
            _ = try ReadyServer.wait(for: victim, in: folder)
            delay *= 0.002
        } else {
            delay *= 1.2 * pace["first start"]
        }
        let strike = Strike(victim, in: .seconds(delay))
        _ = strike.finish()
        _ = victim.wait()
        let acknowledged = try ReadyServer(folder: folder)
        unlink(ReadyServer.file(in: folder))
        let begin = ContinuousClock.now
        victim = try Victim(command, folder: folder)
        let ready = try ReadyServer.wait(for: victim, in: folder)
        var tally = Tally()
        tally.restart = ContinuousClock.now - begin
        pace.note("first start", tally.restart)
        if let acknowledged {
            guard acknowledged.deviceID == ready.deviceID, acknowledged.port == ready.port else {
                throw TestFailure("device ID or port is another one after the first start")
            }
            tally.acknowledged = 1
        } else {
            tally.gone = 1
        }
        let view = try StoreView(folder: folder + "/state")
        guard view.deviceID.text == ready.deviceID else {
            throw TestFailure("the store has another device ID than the server")
        }
        victim.kill()
        _ = victim.wait()
        try FileManager.default.removeItem(atPath: folder)
        return tally
    }
}
