internal import AccessoryModel

/// The handlers of an embedding program, and the positions of its characteristics.
struct HandlerTable {
    private var declared: [CharacteristicKey: CharacteristicHandler]
    private var keys: [DeclarationIdentity: CharacteristicKey]
    /// The handlers by the index of their characteristic in the database.
    private var handlers: [Int: CharacteristicHandler] = [:]

    init(_ declared: [CharacteristicKey: CharacteristicHandler], keys: [DeclarationIdentity: CharacteristicKey]) {
        self.declared = declared
        self.keys = keys
    }

    /// Whether no characteristic of the database has a handler.
    var isEmpty: Bool { handlers.isEmpty }

    subscript(index: Int) -> CharacteristicHandler? { handlers[index] }

    /// Returns the key of a declared characteristic, or `nil` if this server does not serve it.
    func key(of identity: DeclarationIdentity) -> CharacteristicKey? { keys[identity] }

    /// Finds the characteristics of the handlers in a new database.
    mutating func resolve(_ index: (CharacteristicKey) -> Int?) {
        handlers = [:]
        for (key, handler) in declared {
            if let index = index(key) { handlers[index] = handler }
        }
    }
}

/// The connection to the embedding program: its handlers and drivers, their calls, and the polled values.
struct HandlerRegistry {
    var handlers: HandlerTable
    var calls = HandlerCalls()
    var driverCalls = DriverCalls()
    var polls = PollTable()

    init(_ handlers: HandlerTable) {
        self.handlers = handlers
    }
}
