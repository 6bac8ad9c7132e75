internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HAPServer
internal import HTTPTypes
internal import Hosting
internal import Resources
internal import Simulation

extension Console {
    private static let characteristic = Endpoint.Parameter.path("characteristic", "The characteristic as aid.iid.")

    static let characteristicEndpoints: [Endpoint] = [
        Endpoint(
            method: .get,
            path: "/api/v1/servers/{server}/characteristics/{characteristic}",
            summary: "Returns a characteristic with its current value",
            parameters: [server, characteristic],
            success: .json("The characteristic.", CharacteristicResource.format),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            let (server, id) = try console.characteristic(of: request)
            guard let resource = await server.server.resource(of: id) else {
                throw .unknown("characteristic", "GET …/accessories lists them")
            }
            return .json(resource, CharacteristicResource.format)
        },
        Endpoint(
            method: .put,
            path: "/api/v1/servers/{server}/characteristics/{characteristic}",
            summary: "Sets a value, as the device or as a controller",
            parameters: [server, characteristic],
            body: WriteRequest.format.schema,
            success: .json("The characteristic after the write.", CharacteristicResource.format),
            errors: [.notFound, .conflict, .unprocessableContent]
        ) { request, console throws(Problem) in
            let write = try request.read(WriteRequest.format)
            let (server, id) = try console.characteristic(of: request)
            try await console.write(write, to: id, of: server)
            guard let resource = await server.server.resource(of: id) else {
                throw .unknown("characteristic", "GET …/accessories lists them")
            }
            return .json(resource, CharacteristicResource.format)
        },
        Endpoint(
            method: .put,
            path: "/api/v1/servers/{server}/characteristics",
            summary: "Writes values as a controller, all in one request",
            parameters: [server],
            body: WritesRequest.format.schema,
            success: .json("The result of each write, in their order.", .list(of: WriteResultResource.format)),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            let items = try request.read(WritesRequest.format).items
            let server = try console.server(request["server"]).server
            return .json(await console.write(items, to: server), .list(of: WriteResultResource.format))
        },
        Endpoint(
            method: .get,
            path: "/api/v1/servers/{server}/characteristics/{characteristic}/history",
            summary: "Lists the latest values of a characteristic, the oldest first",
            parameters: [server, characteristic],
            success: .json("The values.", .list(of: HistoryEntryResource.format)),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            let (server, id) = try console.characteristic(of: request)
            guard await server.server.resource(of: id) != nil else {
                throw .unknown("characteristic", "GET …/accessories lists them")
            }
            let start = console.startTime()
            let known = console.journal.server(server.id)
            let entries = console.journal.values(of: ServerCharacteristicID(server: server.id, id))
                .map { entry in
                    let shown = known?.simulatedTime(at: entry.time)
                    return HistoryEntryResource(
                        entry: entry,
                        elapsed: start.flatMap { start in shown.map { start.duration(to: $0) / .seconds(1) } }
                    )
                }
            return .json(entries, .list(of: HistoryEntryResource.format))
        },
    ]

    /// Returns the server and the characteristic that a path names.
    private func characteristic(
        of request: APIRequest
    ) throws(Problem) -> (server: HostedServer, id: CharacteristicID) {
        let server = try server(request["server"])
        guard let id = CharacteristicID(parsing: request["characteristic"]) else {
            throw Problem(
                .notFound,
                "unknown-characteristic",
                "\"\(request["characteristic"].prefix(100))\" is not a characteristic; write aid.iid, such as 1.9."
            )
        }
        return (server, id)
    }

    /// Writes values like a controller, in one request of the server.
    private func write(_ items: [WritesRequest.Item], to server: AccessoryServer) async -> [WriteResultResource] {
        let attributes = await server.attributes
        var results: [WriteResultResource] = []
        var writes: [(position: Int, write: CharacteristicWrite)] = []
        for item in items {
            let id = CharacteristicID(parsing: item.characteristic)
            let status: HAPStatus
            if let id, let index = attributes.index(of: id) {
                let characteristic = attributes.characteristics[index]
                let described = CharacteristicDescription(
                    type: characteristic.type,
                    permissions: characteristic.permissions,
                    metadata: characteristic.announcedMetadata,
                    description: characteristic.description
                )
                if let value = described.value(item.value) {
                    writes.append((results.count, CharacteristicWrite(id, value)))
                    status = .success
                } else {
                    status = .invalidValue
                }
            } else {
                status = .doesNotExist
            }
            results.append(WriteResultResource(characteristic: item.characteristic, status: status))
        }
        let statuses = await server.write(writes.map(\.write))
        for (write, status) in zip(writes, statuses) { results[write.position].status = status }
        return results
    }

    /// Sets a value.
    private func write(
        _ request: WriteRequest,
        to id: CharacteristicID,
        of server: HostedServer
    ) async throws(Problem) {
        guard let resource = await server.server.resource(of: id) else {
            throw .unknown("characteristic", "GET …/accessories lists them")
        }
        let described = resource.described
        guard let value = described.value(request.value) else {
            throw Problem(
                .unprocessableContent,
                "invalid-value",
                "\"\(request.value.text.prefix(100))\" is not a value of \(described.name). It takes \(described.allowedValues)."
            )
        }
        switch request.writer {
        case .controller:
            guard described.permissions.contains(.write) else {
                var problem = Problem(
                    .conflict,
                    "read-only",
                    "Controllers cannot write \(described.name) (-70404); write it as the device."
                )
                problem.hapStatus = .readOnly
                throw problem
            }
            let status = await server.server.write([CharacteristicWrite(id, value)]).first ?? .success
            guard status == .success else {
                var problem = Problem(
                    .conflict,
                    "refused",
                    "The device refuses \(described.text(of: value)): \(status)."
                )
                problem.hapStatus = status
                throw problem
            }
        case .device:
            let (names, place) = (try serving().names, ServerCharacteristicID(server: server.id, id))
            if let service = names.service(at: place),
                await server.server.perform(
                    .applySensorInput(BehaviorChange(described.type, value)),
                    on: service.key,
                    of: id.aid
                )
            {
                return
            }
            if let controls = await server.server.controls(of: id) {
                throw Problem(
                    .conflict,
                    "follows",
                    "\(described.name) cannot be set to \(described.text(of: value)) by hand. "
                        + names.remedy(controls, insteadOf: place)
                )
            }
            guard await server.server.set(value, for: id) else {
                throw Problem(
                    .unprocessableContent,
                    "invalid-value",
                    "\(described.name) cannot be \(described.text(of: value)). It takes \(described.allowedValues)."
                )
            }
        }
    }
}

extension CharacteristicDescription {
    /// Returns the value of a scalar in JSON: as in a definition, or by the name of a value.
    fileprivate func value(_ scalar: DocumentScalar) -> CharacteristicValue? {
        let json: JSONValue =
            switch scalar.meaning {
            case .bool(let flag): .bool(flag)
            case .number(let number): .number(number)
            case .null, .text: .string(scalar.text)
            }
        return metadata.value(from: json, isStrict: false) ?? value(of: scalar.text)
    }
}
