internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore

/// One that watches characteristics of an accessory.
struct Subscriber {
    /// What it watches.
    let ids: Set<CharacteristicID>
    /// Where it takes its changes.
    let mailbox: Mailbox<ChangeQueue>
    /// What it was told last.
    private var values: [CharacteristicID: CharacteristicValue?] = [:]
    /// The events that came before it was told of the present session; `nil` once it was.
    private var heldChanges: ChangeQueue?
    private var heldIDs: Set<CharacteristicID> = []
    private let limit: Int
    private let byteLimit: Int
    /// Whether it has once been told of a session.
    private(set) var hasStarted = false
    /// Why there is no session, as it was told last; `nil` while there is one.
    private var lastError: ControllerError?
    /// What makes it begin; ended with it.
    var startTask: Task<Void, Never>?

    init(ids: Set<CharacteristicID>, limit: Int, byteLimit: Int) {
        self.ids = ids
        self.limit = limit
        self.byteLimit = byteLimit
        mailbox = Mailbox(ChangeQueue(limit: limit, byteLimit: byteLimit))
        heldChanges = ChangeQueue(limit: limit, byteLimit: byteLimit)
    }

    /// Why it cannot begin: the accessory tells of nothing that it watches.
    func failure(refused: [CharacteristicID: Int64]) -> ControllerError? {
        guard !hasStarted, let first = ids.min(), let code = refused[first],
            ids.allSatisfy({ refused[$0] != nil })
        else { return nil }
        return .requestFailed("the subscription to \(first)", http: 207, CharacteristicResult(first, code: code).status)
    }

    /// Takes an event.
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

    /// Tells of a session with the values that were read in it, as far as they are news.
    ///
    /// What an event has told since the session began may be newer than what was read, so that it comes last.
    mutating func sessionDidStart(with results: [CharacteristicResult], refused: [CharacteristicID: Int64]) {
        hasStarted = true
        lastError = nil
        mailbox.send(.connected)
        for (id, code) in refused.sorted(by: { $0.key < $1.key }) where ids.contains(id) {
            mailbox.send(.refused(CharacteristicResult(id, code: code)))
        }
        for result in results where result.isSuccess && ids.contains(result.id) && !heldIDs.contains(result.id) {
            // A button reads as null, which is no news.
            if let value = result.value, values[result.id] != .some(value) {
                deliver(result.id, value)
            }
        }
        while case .value(let id, let value)? = heldChanges?.next() {
            deliver(id, value)
        }
        heldChanges = nil
        heldIDs = []
    }

    /// Tells of the end of the session.
    mutating func sessionDidEnd(_ error: ControllerError) {
        heldChanges = ChangeQueue(limit: limit, byteLimit: byteLimit)
        heldIDs = []
        reconnectDidFail(error)
    }

    /// Tells why there is no session, unless that was told already.
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
