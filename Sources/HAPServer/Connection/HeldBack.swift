internal import AccessoryModel
internal import NIOCore

/// What injected faults hold back of one connection: requests, events and event messages that come later.
///
/// Belongs to the server's actor and never leaves it.
struct HeldBack {
    /// What is held back, by its place in the order in which it was to come.
    private var waiting: [UInt64: (change: CharacteristicID?, timer: Scheduled<Void>)] = [:]
    private var last: UInt64 = 0

    /// Holds something back until a timer lets it come.
    ///
    /// - Parameters:
    ///   - change: Whose change it is that later ones make worthless; `nil` for what always comes.
    ///   - timer: Makes the timer, which takes out what has this number.
    mutating func hold(_ change: CharacteristicID?, until timer: (_ number: UInt64) -> Scheduled<Void>) {
        last += 1
        waiting[last] = (change, timer(last))
    }

    /// Takes out what comes now.
    mutating func take(_ number: UInt64) {
        waiting[number] = nil
    }

    /// Gives up the changes of a characteristic that are older than the one that comes now.
    ///
    /// - Parameter number: Of the one that comes now; `nil` for one that was not held back.
    mutating func overtake(_ id: CharacteristicID, by number: UInt64? = nil) {
        for (older, held) in waiting where held.change == id && older < number ?? .max {
            held.timer.cancel()
            waiting[older] = nil
        }
    }

    /// Gives up everything.
    mutating func giveUp() {
        for held in waiting.values {
            held.timer.cancel()
        }
        waiting = [:]
    }
}
