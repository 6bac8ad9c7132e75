internal import AccessoryModel
internal import HAPCore
internal import NIOCore

extension AccessoryServer {
    /// Answers `GET /accessories`, or refuses it while too many unread responses wait for other controllers.
    ///
    /// A large database is encoded in several turns of the event loop. If values keep changing, the server encodes the
    /// rest at once after one turn per service.
    ///
    /// HAP: §11.4, §10 (500)
    func readAccessories(from connection: ServerConnection, turn: Int = 0) {
        let isAdmin = connection.session?.isAdmin ?? false
        let limit = turn < database.services.count ? Self.bytesPerComposingTurn : .max
        guard database.renderAccessories(isAdmin: isAdmin, upTo: limit) else {
            deferWork(.accessories(of: connection.id, turns: turn + 1), isSession: true)
            return
        }
        let body = database.accessoriesBody(isAdmin: isAdmin)
        guard body.count <= connection.channelHandler.availableBytes else {
            respond(.failure(.internalServerError, .outOfResources), to: connection)
            return
        }
        respond(.json(.ok, body), to: connection)
    }

    /// The number of bytes that are encoded before other connections have their turn.
    private static let bytesPerComposingTurn = 256 << 10

    /// Answers `GET /characteristics`.
    ///
    /// HAP: §12
    func read(_ request: HTTPRequest, from connection: ServerConnection) {
        let parsed: CharacteristicReadRequest
        do throws(ProtocolError) {
            parsed = try CharacteristicReadRequest(query: request.query)
        } catch {
            refuse(error, with: .failure(.badRequest, .invalidValue), from: connection)
            return
        }
        reportItems(of: parsed, from: connection)
        let isAdmin = connection.session?.isAdmin ?? false
        let subscriber = connection.id.subscriber
        let refusals = connection.refusals(of: parsed, by: self)
        if refusals.isEmpty, handlerRegistry.handlers.isEmpty,
            let body = database.responseBody(
                to: parsed,
                isAdmin: isAdmin,
                for: subscriber,
                availableBytes: connection.channelHandler.availableBytes
            )
        {
            respond(.json(.ok, body), to: connection)
            return
        }
        var outcomes: [ReadOutcome] = []
        outcomes.reserveCapacity(parsed.addresses.count)
        for (position, address) in parsed.addresses.enumerated() {
            let refusal = refusals.isEmpty ? nil : refusals[position]
            let result =
                refusal.map { .failure(HAPStatusError($0)) } ?? database.readableIndex(of: address, isAdmin: isAdmin)
            outcomes.append(ReadOutcome(address, result))
        }
        guard handlerRegistry.handlers.isEmpty || !outcomes.contains(where: hasReadHandler) else {
            callReadHandlers(outcomes, options: parsed.options, for: connection)
            return
        }
        finishRead(outcomes, options: parsed.options, for: connection)
    }

    /// Answers a read: 200 if everything succeeded, otherwise 207 with a status for every item.
    ///
    /// A value that does not fit into the response fails with −70407.
    func finishRead(_ outcomes: [ReadOutcome], options: ReadOptions, for connection: ServerConnection) {
        var outcomes = outcomes
        var budget = ResponseBudget(
            itemCount: outcomes.count,
            availableBytes: connection.channelHandler.availableBytes
        )
        for position in outcomes.indices where outcomes[position].status == .success {
            guard let index = outcomes[position].index else { continue }
            if !budget.reserveValue(database.size(at: index, with: options)) {
                outcomes[position].status = .outOfResources
            }
        }
        let isSuccess = outcomes.allSatisfy { $0.status == .success }
        var writer = CharacteristicResponseWriter(reservingBytes: 32 + 64 * outcomes.count)
        for outcome in outcomes {
            writer.beginItem(outcome.address, status: isSuccess ? nil : outcome.status)
            if outcome.status == .success, let index = outcome.index {
                writer.json.key(plain: "value")
                database.writeValue(at: index, to: &writer.json)
                if !options.isEmpty {
                    database.writeInclusions(options, at: index, for: connection.id.subscriber, to: &writer.json)
                }
            }
            writer.endItem()
        }
        respond(.json(isSuccess ? .ok : .multiStatus, writer.finish()), to: connection)
    }

    private func hasReadHandler(_ outcome: ReadOutcome) -> Bool {
        guard let index = outcome.index else { return false }
        return handlerRegistry.handlers[index]?.onRead != nil
    }

    /// Calls the handlers of one request concurrently; a slow or failing handler affects only its own item.
    private func callReadHandlers(_ outcomes: [ReadOutcome], options: ReadOptions, for connection: ServerConnection) {
        let operation = HandlerOperation(.reader(connection.id, options), reads: outcomes)
        for (position, outcome) in outcomes.enumerated() {
            guard let index = outcome.index, let onRead = handlerRegistry.handlers[index]?.onRead else { continue }
            let kind = HandlerID(characteristic: database.characteristics[index].id, isWrite: false)
            callHandler(kind, at: position, of: operation) { try await onRead() }
        }
        finishIfComplete(operation)
    }
}

/// The outcome of one item of a read.
struct ReadOutcome: Sendable {
    let address: CharacteristicAddress
    /// The index of the characteristic in the database; `nil` if it cannot be read.
    private(set) var index: Int?
    var status: HAPStatus

    init(_ address: CharacteristicAddress, _ result: Result<Int, HAPStatusError>) {
        self.address = address
        switch result {
        case .success(let index):
            self.index = index
            status = .success
        case .failure(let error):
            index = nil
            status = error.status
        }
    }

    /// Finds the characteristic in the database that has replaced the one it was read from.
    mutating func rebind(to database: AttributeDatabase) {
        guard index != nil else { return }
        index = address.id.flatMap { database.index(of: $0) }
        if index == nil, status == .success {
            status = .doesNotExist
        }
    }
}
