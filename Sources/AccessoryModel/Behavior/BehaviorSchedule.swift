internal import HAPCore

/// When each of a number of behaviours is due, the earliest first.
///
/// A binary heap that knows where each behaviour stands in it: a new deadline costs the logarithm of their number, and
/// asking for the earliest nothing.
struct BehaviorSchedule: Sendable {
    /// A behaviour, by its number, with its deadline.
    struct Entry: Sendable, Hashable {
        let deadline: MonotonicInstant
        let behavior: Int

        /// Of two that are due at once the one with the lower number comes first, so that the order is always the same.
        func precedes(_ other: Entry) -> Bool {
            deadline == other.deadline ? behavior < other.behavior : deadline < other.deadline
        }
    }

    private var heap: [Entry] = []
    /// Where each behaviour stands in the heap; `nil` for those that are not due at any time.
    private var places: [Int?]

    /// Makes a schedule for behaviours from 0 up to a count, none of which is due.
    init(count: Int) {
        places = Array(repeating: nil, count: count)
    }

    /// The one that is due first, `nil` when none is.
    var earliest: Entry? {
        heap.first
    }

    /// Those that are due by an instant, in the order in which they are.
    func due(by now: MonotonicInstant) -> [Entry] {
        var due: [Entry] = []
        collect(from: 0, dueBy: now, into: &due)
        return due.count > 1 ? due.sorted { $0.precedes($1) } : due
    }

    /// Notes when a behaviour is due from now on; `nil` for not at all.
    mutating func set(_ deadline: MonotonicInstant?, of behavior: Int) {
        switch (deadline, places[behavior]) {
        case (nil, nil):
            break
        case (let deadline?, nil):
            heap.append(Entry(deadline: deadline, behavior: behavior))
            places[behavior] = heap.count - 1
            rise(from: heap.count - 1)
        case (let deadline?, let place?):
            guard heap[place].deadline != deadline else { return }
            heap[place] = Entry(deadline: deadline, behavior: behavior)
            settle(place)
        case (nil, let place?):
            let last = heap.removeLast()
            places[behavior] = nil
            guard place < heap.count else { return }
            heap[place] = last
            places[last.behavior] = place
            settle(place)
        }
    }

    /// Adds what is due of a place of the heap and of those below it.
    private func collect(from place: Int, dueBy now: MonotonicInstant, into due: inout [Entry]) {
        guard place < heap.count, heap[place].deadline <= now else { return }
        due.append(heap[place])
        collect(from: 2 * place + 1, dueBy: now, into: &due)
        collect(from: 2 * place + 2, dueBy: now, into: &due)
    }

    private mutating func settle(_ place: Int) {
        rise(from: place)
        sink(from: place)
    }

    private mutating func rise(from place: Int) {
        var place = place
        while place > 0, heap[place].precedes(heap[(place - 1) / 2]) {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(from place: Int) {
        var place = place
        while true {
            var least = place
            for child in (2 * place + 1)...(2 * place + 2) where child < heap.count && heap[child].precedes(heap[least])
            {
                least = child
            }
            guard least != place else { return }
            exchange(place, least)
            place = least
        }
    }

    private mutating func exchange(_ first: Int, _ second: Int) {
        heap.swapAt(first, second)
        places[heap[first].behavior] = first
        places[heap[second].behavior] = second
    }
}
