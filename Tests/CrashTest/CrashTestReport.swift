import Synchronization

/// The results of the rounds, printed as they arrive.
final class CrashTestReport: Sendable {
    private struct Line {
        var rounds = 0
        var acknowledged = 0
        var stored = 0
        var absent = 0
        var lost = 0
    }

    private struct State {
        var lines: [RoundKind: Line] = [:]
        var restarts: [Duration] = []
        var rounds = 0
    }

    private let rounds: Int
    private let state = Mutex(State())
    private let startTime = ContinuousClock.now

    init(rounds: Int) {
        self.rounds = rounds
    }

    /// The number of rounds that lost data.
    var failureCount: Int {
        state.withLock { $0.lines.values.reduce(0) { $0 + $1.lost } }
    }

    func record(_ kind: RoundKind, _ tally: Tally) {
        update(kind) { state in
            state.restarts.append(tally.restartDuration)
            state.lines[kind, default: Line()].acknowledged += tally.acknowledged
            state.lines[kind, default: Line()].stored += tally.stored
            state.lines[kind, default: Line()].absent += tally.absent
        }
    }

    func recordFailure(_ kind: RoundKind, _ diagnostic: String) {
        printLine("FAILED \(diagnostic)")
        update(kind) { $0.lines[kind, default: Line()].lost += 1 }
    }

    private func update(_ kind: RoundKind, _ change: (inout State) -> Void) {
        let count = state.withLock { state in
            change(&state)
            state.lines[kind, default: Line()].rounds += 1
            state.rounds += 1
            return state.rounds
        }
        if count.isMultiple(of: 50) {
            let perSecond = Double(count) / ((ContinuousClock.now - startTime) / .seconds(1))
            printLine("\(count) of \(rounds), \((perSecond * 10).rounded() / 10) per second")
        }
    }

    /// The results as a table, with a row for each kind of round.
    var table: String {
        let state = state.withLock { $0 }
        var text = "\nkilled during   rounds  acknowledged  not: stored   not: absent   lost\n"
        var sum = Line()
        for kind in RoundKind.allCases {
            guard let line = state.lines[kind] else { continue }
            text += Self.row(kind.rawValue, line)
            sum.rounds += line.rounds
            sum.acknowledged += line.acknowledged
            sum.stored += line.stored
            sum.absent += line.absent
            sum.lost += line.lost
        }
        text += Self.row("all", sum)
        let sorted = state.restarts.sorted()
        if let longest = sorted.last {
            let median = sorted[sorted.count / 2]
            text += "Time until the server listened again: median \(Self.milliseconds(median)) ms, "
            text += "maximum \(Self.milliseconds(longest)) ms"
        }
        return text
    }

    private static func row(_ name: String, _ line: Line) -> String {
        let columns = zip([line.rounds, line.acknowledged, line.stored, line.absent, line.lost], [8, 14, 13, 14, 7])
        let numbers = columns.map { number, width in
            String(repeating: " ", count: max(0, width - "\(number)".count)) + "\(number)"
        }
        return name + String(repeating: " ", count: max(0, 14 - name.count)) + numbers.joined() + "\n"
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        Int(duration / .milliseconds(1))
    }
}
