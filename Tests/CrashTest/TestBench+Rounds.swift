import Foundation
import HAPCore
import TestSupport

extension TestBench {
    /// Kills the server at a moment of an operation, and checks what is left after a restart.
    func runRound(_ kind: RoundKind) throws -> Tally {
        try prepare(kind)
        _ = consumeTally()
        let killPoint = kind == .start ? try killAtStart() : drawKillPoint(kind)
        do {
            try perform(kind, killPoint)
        } catch is ConnectionClosed where killPoint.isTriggered {}
        let moment = killPoint.waitForKill()
        _ = server.wait()
        for (number, duration) in killPoint.durations.enumerated() {
            responseTimes.record("\(kind) \(number + 1)", duration)
        }
        let restart = try restartAndCheck(killedAt: moment)
        responseTimes.record("start", restart)
        var tally = consumeTally()
        tally.restartDuration = restart
        return tally
    }

    /// Brings the server into a state in which the round can begin, without killing it.
    private func prepare(_ kind: RoundKind) throws {
        switch kind {
        case .pair, .wrongCode:
            try unpair()
            // Pair-setup is locked after 100 failed attempts; pairing resets the count.
            if table.failedProofs > 80 {
                try pair()
                try unpair()
            }
        case .add: try addControllers(downTo: 1, upTo: 5)
        case .remove: try addControllers(downTo: 3, upTo: 8)
        case .write: try addControllers(downTo: 0, upTo: 63)
        case .start, .structure: break
        }
    }

    private func perform(_ kind: RoundKind, _ killPoint: KillPoint) throws {
        switch kind {
        case .pair:
            try pair(killPoint)
            if let admin { _ = try session(as: admin, killPoint) }
        case .add:
            guard let admin else { return }
            let session = try session(as: admin, killPoint)
            for _ in 1...4 {
                try manage(.put(drawPairing(beside: admin)), in: session)
            }
        case .remove:
            guard let admin else { return }
            let session = try session(as: admin, killPoint)
            let others = table.pairings.filter { $0.identifier != admin.identifier }.shuffled(using: &random)
            for pairing in others.prefix(2) {
                try manage(.remove(pairing.identifier), in: session)
            }
            try manage(.remove(admin.identifier), in: session)
        case .wrongCode:
            let connection = try connect(killPoint)
            for _ in 1...3 {
                try tryWrongCode(connection)
            }
        case .write:
            guard let admin else { return }
            let session = try session(as: admin)
            while colors.count < WriteHistory.capacity - 10 {
                try writeColor(session)
                usleep(UInt32.random(in: 0...12_000, using: &random))
            }
        case .start, .structure: break
        }
    }

    /// Removes all pairings.
    private func unpair() throws {
        guard let admin else { return }
        let session = try session(as: admin)
        for pairing in table.pairings where pairing.isAdmin && pairing.identifier != admin.identifier {
            try manage(.remove(pairing.identifier), in: session)
        }
        try manage(.remove(admin.identifier), in: session)
    }

    /// Pairs a controller, and adds or removes others until their number is in the range that the round needs.
    private func addControllers(downTo least: Int, upTo most: Int) throws {
        if !table.isPaired { try pair() }
        guard let admin else { throw TestFailure("no controller is paired") }
        let session = try session(as: admin)
        for pairing in table.pairings.dropFirst().dropLast(least) where table.pairings.count > most {
            guard pairing.identifier != admin.identifier else { continue }
            try manage(.remove(pairing.identifier), in: session)
        }
        while table.pairings.count <= least {
            try manage(.put(drawPairing(beside: admin)), in: session)
        }
    }

    /// Returns a new controller, or a paired one with its permission changed.
    private func drawPairing(beside admin: ControllerIdentity) -> Pairing {
        let known = table.pairings.filter { $0.identifier != admin.identifier }.randomElement(using: &random)
        if var known, Bool.random(using: &random), table.pairings.count > 3 {
            known.isAdmin.toggle()
            return known
        }
        let new = newController()
        return Pairing(
            identifier: new.identifier,
            publicKey: new.publicKey,
            isAdmin: Int.random(in: 0..<3, using: &random) == 0
        )
    }

    // MARK: Moments

    /// Returns a random moment: half of them are spread over the whole time of a message, the others are close to its
    /// start or end.
    private func drawKillPoint(_ kind: RoundKind) -> KillPoint {
        let message: Int
        switch kind {
        // The third request is M5, which creates the pairing.
        case .pair: message = Bool.random(using: &random) ? 3 : Int.random(in: 1...5, using: &random)
        case .add: message = Int.random(in: 3...6, using: &random)
        case .remove: message = Int.random(in: 3...5, using: &random)
        case .wrongCode: message = Int.random(in: 1...6, using: &random)
        case .write, .start, .structure: return KillPoint(server, in: drawWriteDelay())
        }
        return KillPoint(server, drawnFrom: &random, message: message, duration: responseTimes["\(kind) \(message)"])
    }

    /// Returns a random moment, often close to the time at which values are saved: half a second after the first
    /// change.
    private func drawWriteDelay() -> Duration {
        Bool.random(using: &random)
            ? .seconds(Double.random(in: 0...1.7, using: &random))
            : .seconds(Double.random(in: 0.48...0.54, using: &random))
    }

    /// Kills the server, and schedules a second kill during its restart.
    private func killAtStart() throws -> KillPoint {
        server.kill()
        _ = server.wait()
        try restart()
        return KillPoint(server, in: .seconds(Double.random(in: 0...1.2, using: &random) * responseTimes["start"]))
    }
}

extension KillPoint {
    /// Chooses the moment of a kill at random, for a message whose response takes this number of seconds.
    convenience init(
        _ serverUnderTest: ServerUnderTest,
        drawnFrom random: inout some RandomNumberGenerator,
        message: Int,
        duration: Double
    ) {
        let spread = Double.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<11: self.init(serverUnderTest, after: .sent(message), delay: .seconds(spread * duration * 1.1))
        case 11..<14: self.init(serverUnderTest, after: .sent(message), delay: .zero)
        case 14..<17: self.init(serverUnderTest, after: .received(message), delay: .zero)
        default: self.init(serverUnderTest, after: .received(message), delay: .seconds(spread * 0.002))
        }
    }
}
