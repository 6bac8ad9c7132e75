package import HAPCore

extension AttributeDatabase {
    /// The body of `GET /accessories`, the same for every controller that may read everything.
    ///
    /// HAP: §11.4
    package mutating func accessoriesBody(isAdmin: Bool) -> [UInt8] {
        if hidesValuesFromSome, !isAdmin {
            var writer = JSONWriter(escaping: .required)
            writeAccessories(to: &writer) { accessory, writer in
                writeAccessory(accessory, to: &writer, content: .values(isAdmin: false))
            }
            return writer.finish()
        }
        if let renderedBody { return renderedBody }
        var rendered = renderedAccessories
        let capacity = rendered.reduce(32) { $0 + ($1?.count ?? 2_048) + 1 }
        var writer = JSONWriter(reservingBytes: capacity, escaping: .required)
        writeAccessories(to: &writer) { accessory, writer in
            if let text = rendered[accessory] {
                writer.value(written: text)
            } else {
                var part = JSONWriter(reservingBytes: 2_048, escaping: .required)
                writeAccessory(accessory, to: &part, content: .values(isAdmin: true))
                let text = part.finish()
                rendered[accessory] = text
                writer.value(written: text)
            }
        }
        renderedAccessories = rendered
        let body = writer.finish()
        renderedBody = body
        return body
    }

    /// The body of the answer to a read, or `nil` when one of its items fails and every item needs a status.
    ///
    /// Mutating, so that the caller lends the database: a copy of it costs more than the answer.
    ///
    /// HAP: §12
    package mutating func body(
        answering request: CharacteristicReadRequest,
        isAdmin: Bool,
        for subscriber: SubscriberID
    ) -> [UInt8]? {
        var writer = CharacteristicResponseWriter(reservingBytes: 32 + 64 * request.addresses.count)
        for address in request.addresses {
            guard case .success(let index) = read(address, isAdmin: isAdmin) else { return nil }
            writer.beginItem(address)
            writer.json.key(plain: "value")
            writeValue(at: index, to: &writer.json)
            if !request.includes.isEmpty {
                writeInclusions(request.includes, at: index, for: subscriber, to: &writer.json)
            }
            writer.endItem()
        }
        return writer.finish()
    }

    /// Writes the value of the characteristic at `index`, or what stands for one that is not there.
    ///
    /// HAP: §11.4, §12
    package func writeValue(at index: Int, to writer: inout JSONWriter) {
        if values[index] == nil, isVerbatim {
            writer.null()
        } else {
            writer.value(values[index], of: characteristics[index].metadata.format)
        }
    }

    /// Writes what a read asked to have with each value.
    ///
    /// HAP: §12
    package func writeInclusions(
        _ inclusions: ReadInclusions,
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

    /// A digest of the structure: everything that `/accessories` shows except the values, of which it has the firmware's
    /// revision alone.
    ///
    /// HAP: §11.7, §19
    func structureDigest() -> [UInt8] {
        var writer = JSONWriter(escaping: .required)
        writeAccessories(to: &writer) { accessory, writer in
            writeAccessory(accessory, to: &writer, content: .structure)
        }
        return SHA512.hash(writer.finish())
    }

    private enum Content {
        case structure
        case values(isAdmin: Bool)
    }

    private func writeAccessories(to writer: inout JSONWriter, each write: (Int, inout JSONWriter) -> Void) {
        writer.beginObject()
        writer.key(plain: "accessories")
        writer.beginArray()
        for accessory in accessories.indices {
            write(accessory, &writer)
        }
        writer.endArray()
        writer.endObject()
    }

    private func writeAccessory(_ accessory: Int, to writer: inout JSONWriter, content: Content) {
        writer.beginObject()
        writer.key(plain: "aid")
        writer.value(accessories[accessory].rawValue)
        writer.key(plain: "services")
        writer.beginArray()
        for service in services[servicesOfAccessory[accessory]] {
            writeService(service, to: &writer, content: content)
        }
        writer.endArray()
        writer.endObject()
    }

    private func writeService(_ service: RegisteredService, to writer: inout JSONWriter, content: Content) {
        writer.beginObject()
        writer.key(plain: "iid")
        writer.value(service.iid.rawValue)
        writer.key(plain: "type")
        writer.value(service.writtenType ?? service.key.type.uuid.shortened)
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
