internal import HAPCore

/// The deadlines of behaviors, sorted by time.
///
/// A binary heap that also stores the position of each behavior. Setting a deadline takes logarithmic time; finding the
/// earliest takes constant time.
struct BehaviorSchedule: Sendable {
    /// A behavior, given by its number, with its deadline.
    struct Entry: Sendable, Hashable {
        let deadline: MonotonicInstant
        let behavior: Int

        /// Returns whether this entry is before the other one.
        ///
        /// Of two entries with the same deadline, the one with the lower number is first, so that the order is
        /// deterministic.
        func precedes(_ other: Entry) -> Bool {
            deadline == other.deadline ? behavior < other.behavior : deadline < other.deadline
        }
    }

    private var heap: [Entry] = []
    /// The positions of the behaviors in the heap; `nil` for a behavior without a deadline.
    private var positions: [Int?]

    /// Creates a schedule for the behaviors from 0 to `count` − 1, without deadlines.
    init(count: Int) {
        positions = Array(repeating: nil, count: count)
    }

    /// The earliest entry, or `nil` if no behavior has a deadline.
    var earliest: Entry? {
        heap.first
    }

    /// Returns the entries that are due by an instant, in the order of their deadlines.
    func due(by now: MonotonicInstant) -> [Entry] {
        var due: [Entry] = []
        collect(from: 0, dueBy: now, into: &due)
        return due.count > 1 ? due.sorted { $0.precedes($1) } : due
    }

    /// Sets the deadline of a behavior, or removes it if `deadline` is `nil`.
    mutating func setDeadline(_ deadline: MonotonicInstant?, of behavior: Int) {
        switch (deadline, positions[behavior]) {
        case (nil, nil):
            break
        case (let deadline?, nil):
            heap.append(Entry(deadline: deadline, behavior: behavior))
            positions[behavior] = heap.count - 1
            siftUp(from: heap.count - 1)
        case (let deadline?, let place?):
            guard heap[place].deadline != deadline else { return }
            heap[place] = Entry(deadline: deadline, behavior: behavior)
            restoreHeapOrder(at: place)
        case (nil, let place?):
            let last = heap.removeLast()
            positions[behavior] = nil
            guard place < heap.count else { return }
            heap[place] = last
            positions[last.behavior] = place
            restoreHeapOrder(at: place)
        }
    }

    /// Collects the due entries of a subtree.
    private func collect(from place: Int, dueBy now: MonotonicInstant, into due: inout [Entry]) {
        guard place < heap.count, heap[place].deadline <= now else { return }
        due.append(heap[place])
        collect(from: 2 * place + 1, dueBy: now, into: &due)
        collect(from: 2 * place + 2, dueBy: now, into: &due)
    }

    private mutating func restoreHeapOrder(at place: Int) {
        siftUp(from: place)
        siftDown(from: place)
    }

    private mutating func siftUp(from place: Int) {
        var place = place
        while place > 0, heap[place].precedes(heap[(place - 1) / 2]) {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func siftDown(from place: Int) {
        var place = place
        while true {
            var least = place
            for child in (2 * place + 1)...(2 * place + 2) where child < heap.count && heap[child].precedes(heap[least])
            {
                least = child
            }
            guard least != place else { return }
            swap(place, least)
            place = least
        }
    }

    private mutating func swap(_ first: Int, _ second: Int) {
        heap.swapAt(first, second)
        positions[heap[first].behavior] = first
        positions[heap[second].behavior] = second
    }
}
