internal import AccessoryModel

/// What an embedding program has declared: its handlers, and where its characteristics are.
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

    /// Returns where a declared characteristic is; `nil` for one that this server does not serve.
    func key(of identity: DeclarationIdentity) -> CharacteristicKey? { keys[identity] }

    /// Finds the characteristics of the handlers in a database that has taken the place of another.
    mutating func resolve(_ index: (CharacteristicKey) -> Int?) {
        handlers = [:]
        for (key, handler) in declared {
            if let index = index(key) { handlers[index] = handler }
        }
    }
}

/// What a server does for the program that embeds it: its handlers, their calls, and the values that are polled.
struct HandlerRegistry {
    var handlers: HandlerTable
    var calls = HandlerCalls()
    var polls = PollTable()

    init(_ handlers: HandlerTable) {
        self.handlers = handlers
    }
}
