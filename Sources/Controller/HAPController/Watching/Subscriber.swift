internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore

/// A subscriber that watches characteristics of an accessory.
struct Subscriber {
    /// The watched characteristics.
    let ids: Set<CharacteristicID>
    /// The mailbox with its changes.
    let mailbox: Mailbox<ChangeQueue>
    /// The values that were last reported to it.
    private var values: [CharacteristicID: CharacteristicValue?] = [:]
    /// The events that arrived before the current session was reported to the subscriber; `nil` afterwards.
    private var heldChanges: ChangeQueue?
    private var heldIDs: Set<CharacteristicID> = []
    private let limit: Int
    private let byteLimit: Int
    /// Whether a session has ever been reported to the subscriber.
    private(set) var hasStarted = false
    /// The last reported reason for the missing session; `nil` while there is one.
    private var lastError: ControllerError?
    /// The task that starts the subscription; it is canceled when the subscription ends.
    var startTask: Task<Void, Never>?

    /// Whether a session was reported, and the subscriber waits for further changes.
    var hasReadAll: Bool { heldChanges == nil && mailbox.isReaderWaiting }

    init(ids: Set<CharacteristicID>, limit: Int, byteLimit: Int) {
        self.ids = ids
        self.limit = limit
        self.byteLimit = byteLimit
        mailbox = Mailbox(ChangeQueue(limit: limit, byteLimit: byteLimit))
        heldChanges = ChangeQueue(limit: limit, byteLimit: byteLimit)
    }

    /// Returns the reason why the subscription cannot start: the accessory refuses events for all watched
    /// characteristics.
    func failure(refused: [CharacteristicID: Int64]) -> ControllerError? {
        guard !hasStarted, let first = ids.min(), let code = refused[first],
            ids.allSatisfy({ refused[$0] != nil })
        else { return nil }
        return .requestFailed("the subscription to \(first)", http: 207, CharacteristicResult(first, code: code).status)
    }

    /// Handles an event.
    mutating func receive(_ id: CharacteristicID, _ value: CharacteristicValue?) {
        if heldChanges != nil {
            if heldChanges?.append(.value(id, value)) == false {
                mailbox.finish(.failure(.overflow))
            }
            heldIDs.insert(id)
        } else {
            deliver(id, value)
        }
    }

    /// Reports a session, and the values that were read in it if they differ from the last reported ones.
    ///
    /// Events since the start of the session may contain newer values than those that were read, so they are reported
    /// last.
    mutating func sessionDidStart(with results: [CharacteristicResult], refused: [CharacteristicID: Int64]) {
        hasStarted = true
        lastError = nil
        mailbox.send(.connected)
        for (id, code) in refused.sorted(by: { $0.key < $1.key }) where ids.contains(id) {
            mailbox.send(.refused(CharacteristicResult(id, code: code)))
        }
        for result in results where ids.contains(result.id) && !heldIDs.contains(result.id) {
            if !result.isSuccess {
                mailbox.send(.unreadable(result))
            } else if let value = result.value, values[result.id] != .some(value) {
                deliver(result.id, value)
            }
        }
        while case .value(let id, let value)? = heldChanges?.next() {
            deliver(id, value)
        }
        heldChanges = nil
        heldIDs = []
    }

    /// Reports the end of the session.
    mutating func sessionDidEnd(_ error: ControllerError) {
        heldChanges = ChangeQueue(limit: limit, byteLimit: byteLimit)
        heldIDs = []
        reconnectDidFail(error)
    }

    /// Reports the reason for the missing session, unless it was reported before.
    mutating func reconnectDidFail(_ error: ControllerError) {
        guard hasStarted, lastError?.code != error.code else { return }
        lastError = error
        mailbox.send(.disconnected(error))
    }

    private mutating func deliver(_ id: CharacteristicID, _ value: CharacteristicValue?) {
        values[id] = value
        mailbox.send(.value(id, value))
    }
}
