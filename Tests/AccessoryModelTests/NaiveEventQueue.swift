import AccessoryModel
import HAPCore

/// A direct implementation of the event timing rules, which stores and searches all events since the last message.
struct NaiveEventQueue {
    struct Entry {
        var event: PendingEvent
        var isUrgent: Bool
    }

    var history: [Entry] = []
    private var lastMessage: MonotonicInstant?

    func isDue(at now: MonotonicInstant) -> Bool {
        guard !history.isEmpty else { return false }
        if history.contains(where: \.isUrgent) { return true }
        return lastMessage.map { $0.duration(to: now) >= .seconds(1) } ?? true
    }

    mutating func takeDue(at now: MonotonicInstant) -> [PendingEvent] {
        guard isDue(at: now) else { return [] }
        var message: [PendingEvent] = []
        for (position, entry) in history.enumerated() {
            if entry.isUrgent {
                message.append(entry.event)
            } else if !history[..<position].contains(where: { $0.event.id == entry.event.id }) {
                let latest = history.last { $0.event.id == entry.event.id }
                message.append(latest?.event ?? entry.event)
            }
        }
        history = []
        lastMessage = now
        return message
    }
}
