package import HAPCore

extension AttributeDatabase {
    /// Returns the body of the response to `GET /accessories`.
    ///
    /// All controllers that may read every value get the same body.
    ///
    /// HAP: §11.4
    package mutating func accessoriesBody(isAdmin: Bool) -> [UInt8] {
        renderAccessories(isAdmin: isAdmin, upTo: .max)
        let rendered = renderedBody(isAdmin: isAdmin)
        if let body = rendered.body { return body }
        let capacity = rendered.services.reduce(32 + 64 * accessories.count) { $0 + ($1?.count ?? 0) + 1 }
        var writer = JSONWriter(reservingBytes: capacity, escaping: .required)
        writeAccessories(to: &writer) { service, writer in
            if let text = rendered.services[service] {
                writer.value(encoded: text)
            }
        }
        let body = writer.finish()
        updateRenderedBody(isAdmin: isAdmin) { $0.body = body }
        return body
    }

    /// Renders services that are not cached until `limit` bytes are written, and returns whether all services are
    /// cached.
    ///
    /// A service is rendered again after one of its values has changed.
    @discardableResult
    package mutating func renderAccessories(isAdmin: Bool, upTo limit: Int) -> Bool {
        if renderedBody(isAdmin: isAdmin).body != nil { return true }
        if renderedBody(isAdmin: isAdmin).services.isEmpty {
            let count = services.count
            updateRenderedBody(isAdmin: isAdmin) { $0.services = Array(repeating: nil, count: count) }
        }
        var size = 0
        for service in services.indices where renderedBody(isAdmin: isAdmin).services[service] == nil {
            guard size < limit else { return false }
            var part = JSONWriter(reservingBytes: 1_024, escaping: .required)
            writeService(services[service], to: &part, content: .values(isAdmin: isAdmin))
            let text = part.finish()
            size += text.count
            updateRenderedBody(isAdmin: isAdmin) { $0.services[service] = text }
        }
        return true
    }

    private func renderedBody(isAdmin: Bool) -> RenderedBody {
        hasAdminOnlyValues && !isAdmin ? restrictedBody : fullBody
    }

    private mutating func updateRenderedBody(isAdmin: Bool, _ update: (inout RenderedBody) -> Void) {
        if hasAdminOnlyValues, !isAdmin {
            update(&restrictedBody)
        } else {
            update(&fullBody)
        }
    }

    /// Returns the body of the response to a read, or `nil` if an item needs a status or a value may not fit.
    ///
    /// The method is mutating so that the caller lends the database: copying the database costs more than the response.
    ///
    /// HAP: §12
    package mutating func responseBody(
        to request: CharacteristicReadRequest,
        isAdmin: Bool,
        for subscriber: SubscriberID,
        availableBytes: @autoclosure () -> Int = .max
    ) -> [UInt8]? {
        var budget: ResponseBudget?
        if request.addresses.count > 1 {
            budget = ResponseBudget(itemCount: request.addresses.count, availableBytes: availableBytes())
        }
        var writer = CharacteristicResponseWriter(reservingBytes: 32 + 64 * request.addresses.count)
        for address in request.addresses {
            guard case .success(let index) = readableIndex(of: address, isAdmin: isAdmin),
                reserveSpace(at: index, with: request.options, in: &budget)
            else { return nil }
            writer.beginItem(address)
            writer.json.key(plain: "value")
            writeValue(at: index, to: &writer.json)
            if !request.options.isEmpty {
                writeInclusions(request.options, at: index, for: subscriber, to: &writer.json)
            }
            writer.endItem()
        }
        // The writer is consumed so that the end of the body is appended in place, without a copy.
        return (consume writer).finish()
    }

    /// Returns whether the value fits into the budget.
    ///
    /// Without a budget, as for a read of one value, returns whether the value is small.
    private func reserveSpace(at index: Int, with inclusions: ReadOptions, in budget: inout ResponseBudget?) -> Bool {
        let size = size(at: index, with: inclusions)
        return budget == nil ? size <= ResponseBudget.guaranteedValueBytes : budget?.reserveValue(size) == true
    }

    /// Returns the events whose characteristics are in the database.
    ///
    /// The method is mutating, like ``eventBody(of:)``, so that the caller lends the database. Otherwise the database
    /// would be copied for each event.
    package mutating func eventsInDatabase(_ events: [PendingEvent]) -> [PendingEvent] {
        events.filter { indices[$0.id] != nil }
    }

    /// Returns the body of a message with events.
    ///
    /// HAP: §14
    package mutating func eventBody(of events: [PendingEvent]) -> [UInt8] {
        var writer = CharacteristicResponseWriter(reservingBytes: 32 + 48 * events.count)
        for event in events {
            guard let index = indices[event.id] else { continue }
            writer.beginItem(CharacteristicAddress(event.id))
            writer.json.key(plain: "value")
            writer.json.value(event.value, of: characteristics[index].metadata.format)
            writer.endItem()
        }
        // The writer is consumed so that the end of the body is appended in place, without a copy.
        return (consume writer).finish()
    }

    /// Returns the maximum number of bytes that the characteristic at `index` takes in a response, with the requested
    /// members.
    package func size(at index: Int, with inclusions: ReadOptions = []) -> Int {
        inclusions.isEmpty ? valueSizes[index] : valueSizes[index] + characteristics[index].inclusionSize
    }

    /// Writes the value of the characteristic at `index`, or its placeholder if there is no value.
    ///
    /// HAP: §11.4, §12
    package func writeValue(at index: Int, to writer: inout JSONWriter) {
        if values[index] == nil, isVerbatim {
            writer.null()
        } else {
            writer.value(values[index], of: characteristics[index].metadata.format)
        }
    }

    /// Writes the members that a read has requested in addition to the value.
    ///
    /// HAP: §12
    package func writeInclusions(
        _ inclusions: ReadOptions,
        at index: Int,
        for subscriber: SubscriberID,
        to writer: inout JSONWriter
    ) {
        let characteristic = characteristics[index]
        if inclusions.contains(.type) {
            writer.writeType(of: characteristic)
        }
        if inclusions.contains(.perms) {
            writer.writePermissions(of: characteristic)
        }
        if inclusions.contains(.ev) {
            writer.key(plain: "ev")
            writer.value(subscriptions.contains(subscriber, index))
        }
        if inclusions.contains(.meta) {
            writer.writeMetadata(characteristic)
        }
    }

    /// Returns a digest of the structure, and the size of the structure in bytes.
    ///
    /// The structure is everything in `/accessories` except the values. The firmware revision is the only value that is
    /// included.
    ///
    /// HAP: §11.7, §19
    func structureDigest() -> (digest: [UInt8], size: Int) {
        var writer = JSONWriter(escaping: .required)
        writeAccessories(to: &writer) { service, writer in
            writeService(services[service], to: &writer, content: .structure)
        }
        let structure = writer.finish()
        return (SHA512.hash(structure), structure.count)
    }

    private enum Content {
        case structure
        case values(isAdmin: Bool)
    }

    private func writeAccessories(to writer: inout JSONWriter, each writeService: (Int, inout JSONWriter) -> Void) {
        writer.beginObject()
        writer.key(plain: "accessories")
        writer.beginArray()
        for accessory in accessories.indices {
            writer.beginObject()
            writer.key(plain: "aid")
            writer.value(accessories[accessory].rawValue)
            writer.key(plain: "services")
            writer.beginArray()
            for service in servicesOfAccessory[accessory] {
                writeService(service, &writer)
            }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    private func writeService(_ service: RegisteredService, to writer: inout JSONWriter, content: Content) {
        writer.beginObject()
        writer.key(plain: "iid")
        writer.value(service.iid.rawValue)
        writer.key(plain: "type")
        writer.value(service.verbatimType ?? service.key.type.uuid.shortened)
        writer.key(plain: "primary")
        writer.value(service.isPrimary)
        writer.key(plain: "hidden")
        writer.value(service.isHidden)
        writer.key(plain: "linked")
        writer.beginArray()
        for iid in service.linked {
            writer.value(iid.rawValue)
        }
        writer.endArray()
        writer.key(plain: "characteristics")
        writer.beginArray()
        for index in service.characteristics {
            writeCharacteristic(at: index, to: &writer, content: content)
        }
        writer.endArray()
        writer.endObject()
    }

    private func writeCharacteristic(at index: Int, to writer: inout JSONWriter, content: Content) {
        let characteristic = characteristics[index]
        writer.beginObject()
        writer.key(plain: "iid")
        writer.value(characteristic.id.iid.rawValue)
        writer.writeType(of: characteristic)
        writer.writePermissions(of: characteristic)
        switch content {
        case .values(let isAdmin)
        where characteristic.permissions.contains(.read) || isVerbatim && values[index] != nil:
            writer.key(plain: "value")
            if isAdmin || !characteristic.adminOnly.contains(.read) {
                writeValue(at: index, to: &writer)
            } else {
                writer.value(nil, of: characteristic.metadata.format)
            }
        case .structure where characteristic.type == .firmwareRevision:
            writer.key(plain: "value")
            writeValue(at: index, to: &writer)
        case .values, .structure:
            break
        }
        writer.writeMetadata(characteristic)
        writer.endObject()
    }
}

/// The rendered parts of the body of `GET /accessories`.
struct RenderedBody: Sendable {
    /// The JSON of each service with its values, by the service's index in the database; empty before the first one is
    /// rendered.
    var services: [[UInt8]?] = []
    /// The complete body, or `nil` if it is not assembled yet.
    var body: [UInt8]?

    /// Removes the cached JSON of a service in which a value has changed.
    mutating func invalidate(_ service: Int) {
        guard !services.isEmpty else { return }
        services[service] = nil
        body = nil
    }
}
