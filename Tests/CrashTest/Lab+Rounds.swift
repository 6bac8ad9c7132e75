import Foundation
import HAPCore
import TestSupport

extension Lab {
    /// Kills the server at a moment of what it is asked to do, and looks what is left.
    func round(_ kind: RoundKind) throws -> Tally {
        try prepare(kind)
        _ = takeTally()
        let strike = kind == .start ? try strikeAtStart() : drawStrike(kind)
        do {
            try operate(kind, strike)
        } catch is ConnectionEnded where strike.hasBegun {}
        let moment = strike.finish()
        _ = victim.wait()
        for (number, duration) in strike.durations.enumerated() {
            pace.note("\(kind) \(number + 1)", duration)
        }
        let restart = try revive(killedAt: moment)
        pace.note("start", restart)
        var tally = takeTally()
        tally.restart = restart
        return tally
    }

    /// Brings the server to where the round can begin; nothing is killed yet.
    private func prepare(_ kind: RoundKind) throws {
        switch kind {
        case .pair, .prove:
            try unpair()
            // Pair-setup is refused after a hundred; the pairing sets the count back.
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

    private func operate(_ kind: RoundKind, _ strike: Strike) throws {
        switch kind {
        case .pair:
            try pair(strike)
            if let admin { _ = try session(as: admin, strike) }
        case .add:
            guard let admin else { return }
            let session = try session(as: admin, strike)
            for _ in 1...4 {
                try manage(.put(drawPairing(beside: admin)), in: session)
            }
        case .remove:
            guard let admin else { return }
            let session = try session(as: admin, strike)
            let others = table.pairings.filter { $0.identifier != admin.identifier }.shuffled(using: &random)
            for pairing in others.prefix(2) {
                try manage(.remove(pairing.identifier), in: session)
            }
            try manage(.remove(admin.identifier), in: session)
        case .prove:
            let connection = try connect(strike)
            for _ in 1...3 {
                try prove(connection)
            }
        case .write:
            guard let admin else { return }
            let session = try session(as: admin)
            while colors.count < WriteHistory.capacity - 10 {
                try paint(session)
                usleep(UInt32.random(in: 0...12_000, using: &random))
            }
        case .start, .structure: break
        }
    }

    /// Removes every pairing.
    private func unpair() throws {
        guard let admin else { return }
        let session = try session(as: admin)
        for pairing in table.pairings where pairing.isAdmin && pairing.identifier != admin.identifier {
            try manage(.remove(pairing.identifier), in: session)
        }
        try manage(.remove(admin.identifier), in: session)
    }

    /// Pairs, and lets as many others be paired as the round needs.
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

    /// A new controller, or one whose permission becomes another.
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

    /// Half of the moments are spread over the whole time of a message, the others stand close to its two ends.
    private func drawStrike(_ kind: RoundKind) -> Strike {
        let message: Int
        switch kind {
        // M5 is the one that is about the pairing.
        case .pair: message = Bool.random(using: &random) ? 3 : Int.random(in: 1...5, using: &random)
        case .add: message = Int.random(in: 3...6, using: &random)
        case .remove: message = Int.random(in: 3...5, using: &random)
        case .prove: message = Int.random(in: 1...6, using: &random)
        case .write, .start, .structure: return Strike(victim, in: drawWriteDelay())
        }
        return Strike(victim, drawnFrom: &random, message: message, takes: pace["\(kind) \(message)"])
    }

    /// Values are kept half a second after the first change: around that the moments are dense.
    private func drawWriteDelay() -> Duration {
        Bool.random(using: &random)
            ? .seconds(Double.random(in: 0...1.7, using: &random))
            : .seconds(Double.random(in: 0.48...0.54, using: &random))
    }

    /// Kills the server, and once more while it starts.
    private func strikeAtStart() throws -> Strike {
        victim.kill()
        _ = victim.wait()
        try restart()
        return Strike(victim, in: .seconds(Double.random(in: 0...1.2, using: &random) * pace["start"]))
    }
}

extension Strike {
    /// Draws the moment of a message that takes so many seconds to be answered.
    convenience init(_ victim: Victim, drawnFrom random: inout some RandomNumberGenerator, message: Int, takes: Double)
    {
        let spread = Double.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<11: self.init(victim, after: .sent(message), delay: .seconds(spread * takes * 1.1))
        case 11..<14: self.init(victim, after: .sent(message), delay: .zero)
        case 14..<17: self.init(victim, after: .received(message), delay: .zero)
        default: self.init(victim, after: .received(message), delay: .seconds(spread * 0.002))
        }
    }
}
