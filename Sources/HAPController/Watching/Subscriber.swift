internal import AccessoryModel
internal import HAPCore

/// One that watches characteristics of an accessory.
struct Subscriber {
    /// What it watches.
    let ids: Set<CharacteristicID>
    /// Where it takes its changes.
    let mailbox: ChangeMailbox
    /// What it was told last.
    private var values: [CharacteristicID: CharacteristicValue?] = [:]
    /// The events that came before it was told of the present session; `nil` once it was.
    private var held: ChangeQueue?
    private var heldIDs: Set<CharacteristicID> = []
    private let limit: Int
    /// Whether it has once been told of a session.
    var hasBegun = false

    init(ids: Set<CharacteristicID>, mailbox: ChangeMailbox, limit: Int) {
        self.ids = ids
        self.mailbox = mailbox
        self.limit = limit
        held = ChangeQueue(limit: limit)
    }

    /// Takes an event.
    mutating func received(_ id: CharacteristicID, _ value: CharacteristicValue?) {
        if held != nil {
            held?.append(.value(id, value))
            heldIDs.insert(id)
        } else {
            tell(id, value)
        }
    }

    /// Tells of a session with the values that were read in it, as far as they are news.
    ///
    /// What an event has told since the session began may be newer than what was read, so that it comes last.
    mutating func begin(with results: [CharacteristicResult]) {
        hasBegun = true
        mailbox.put(.connected)
        for result in results where result.isSuccess && ids.contains(result.id) && !heldIDs.contains(result.id) {
            // A button reads as null, which is no news.
            if let value = result.value, values[result.id] != .some(value) {
                tell(result.id, value)
            }
        }
        while case .value(let id, let value)? = held?.next() {
            tell(id, value)
        }
        held = nil
        heldIDs = []
    }

    /// Tells of the end of the session.
    mutating func lost(_ error: ControllerError) {
        held = ChangeQueue(limit: limit)
        heldIDs = []
        if hasBegun {
            mailbox.put(.disconnected(error))
        }
    }

    private mutating func tell(_ id: CharacteristicID, _ value: CharacteristicValue?) {
        values[id] = value
        mailbox.put(.value(id, value))
    }
}
