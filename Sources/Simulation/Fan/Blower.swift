internal import HAPCore

/// What turns in a fan or an air purifier.
///
/// It takes a while to get up to speed. In automatic it blows for a while and rests for a while, as long as it is on.
package struct Blower: Sendable {
    /// What a controller wants of it.
    struct Wish: Sendable, Hashable {
        var isOn = false
        var isAutomatic = false
        /// 0 to 100 %.
        var speed = 100.0
    }

    private let configuration: BlowerConfiguration
    private var wish = Wish()
    private var output = FadingLevel.steady(0)
    /// Whether it has been up to speed since it last stood still.
    private var isUpToSpeed = false
    /// In automatic, whether it blows, and until when it does or rests.
    private var turn: (isBlowing: Bool, end: MonotonicInstant)?

    init(_ configuration: BlowerConfiguration) {
        self.configuration = configuration
    }

    /// The value of the current state of a fan or an air purifier: 0 inactive, 1 idle, 2 blowing.
    ///
    /// While it gets up to speed it is idle; that it runs down is not told.
    var current: Int {
        wish.isOn ? (isUpToSpeed ? 2 : 1) : 0
    }

    /// When something happens.
    var event: MonotonicInstant? {
        MonotonicInstant.earliest(output.end, turn?.end)
    }

    /// How fast it turns, 0 to 100 %.
    func speed(at now: MonotonicInstant) -> Double {
        output.level(at: now)
    }

    /// Begins as it was left, without getting up to speed.
    mutating func begin(with wish: Wish, at now: MonotonicInstant) {
        self = Blower(configuration)
        follow(wish, at: now)
        output = .steady(wantedSpeed)
        isUpToSpeed = wantedSpeed > 0
    }

    /// Does what is wanted from now on.
    mutating func follow(_ wish: Wish, at now: MonotonicInstant) {
        self.wish = wish
        if !wish.isOn || !wish.isAutomatic {
            turn = nil
        } else if turn == nil {
            turn = (true, now.advanced(by: Self.length(configuration.run)))
        }
        drive(at: now)
    }

    /// Does what is due.
    mutating func happen(at due: MonotonicInstant) {
        output.settle(at: due)
        if let turn, turn.end <= due {
            let length = turn.isBlowing ? configuration.rest : configuration.run
            self.turn = (!turn.isBlowing, turn.end.advanced(by: Self.length(length)))
        }
        drive(at: due)
    }

    /// Leaves a time out, in whole rounds of blowing and resting: it goes on where it would be by then.
    mutating func skip(_ duration: Duration) {
        let round = Self.length(configuration.run) + Self.length(configuration.rest)
        let rounds = (duration / round).rounded(.down)
        guard rounds >= 1 else { return }
        turn = turn.map { ($0.isBlowing, $0.end.advanced(by: round * Int64(rounds))) }
    }

    private var wantedSpeed: Double {
        wish.isOn && turn?.isBlowing != false ? LinearTravel.percent(wish.speed) : 0
    }

    private mutating func drive(at now: MonotonicInstant) {
        output.fade(to: wantedSpeed, at: now, lasting: configuration.spinUp)
        output.settle(at: now)
        if wantedSpeed == 0 {
            isUpToSpeed = false
        } else if output.end == nil {
            isUpToSpeed = true
        }
    }

    private static func length(_ duration: Duration) -> Duration {
        max(duration, .seconds(1))
    }
}
