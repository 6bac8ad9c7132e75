internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HAPServer
internal import HTTPTypes
internal import Hosting
internal import Resources
internal import Simulation

extension Console {
    static let characteristicEndpoints: [Endpoint] = [
        Endpoint(
            .get,
            "/api/v1/servers/{server}/characteristics/{characteristic}",
            "Returns a characteristic with its current value",
            result: ("The characteristic.", CharacteristicResource.format)
        ) { request, console in
            let (server, id) = try console.characteristic(of: request)
            return try await server.characteristic(id)
        },
        Endpoint(
            .put,
            "/api/v1/servers/{server}/characteristics/{characteristic}",
            "Sets a value, as the device or as a controller",
            body: WriteRequest.format,
            result: ("The characteristic after the write.", CharacteristicResource.format)
        ) { body, request, console in
            let (server, id) = try console.characteristic(of: request)
            try await console.write(body, to: id, of: server)
            return try await server.characteristic(id)
        },
        Endpoint(
            .put,
            "/api/v1/servers/{server}/characteristics",
            "Writes values as a controller, all in one request",
            body: BodyFormat.writes,
            result: ("The result of each write, in their order.", .list(of: WriteResultResource.format))
        ) { items, request, console in
            await console.write(items, to: try console.server(request["server"]).server)
        },
        Endpoint(
            .get,
            "/api/v1/servers/{server}/characteristics/{characteristic}/history",
            "Lists the latest values of a characteristic, the oldest first",
            result: ("The values.", .list(of: HistoryEntryResource.format))
        ) { request, console in
            let (server, id) = try console.characteristic(of: request)
            _ = try await server.characteristic(id)
            let start = console.startTime()
            let known = console.journal.server(server.id)
            return console.journal.values(of: ServerCharacteristicID(server: server.id, id))
                .map { entry in
                    let shown = known?.simulatedTime(at: entry.time)
                    return HistoryEntryResource(
                        entry: entry,
                        elapsed: start.flatMap { start in shown.map { start.duration(to: $0) / .seconds(1) } }
                    )
                }
        },
    ]

    /// Returns the server and the characteristic that a path names.
    private func characteristic(
        of request: APIRequest
    ) throws -> (server: HostedServer, id: CharacteristicID) {
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
    private func write(_ items: [ListedWrite], to server: AccessoryServer) async -> [WriteResultResource] {
        let attributes = await server.attributes
        var results: [WriteResultResource] = []
        var writes: [(position: Int, write: CharacteristicWrite)] = []
        for item in items {
            let id = CharacteristicID(parsing: item.characteristic)
            let status: HAPStatus
            if let id, let index = attributes.index(of: id) {
                if let value = attributes.characteristics[index].described.value(item.value) {
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
    ) async throws {
        let described = try await server.characteristic(id).described
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

extension HostedServer {
    /// Returns a characteristic with its current value.
    ///
    /// - Throws: ``Problem`` if there is none with this id.
    fileprivate func characteristic(_ id: CharacteristicID) async throws -> CharacteristicResource {
        guard let resource = await server.resource(of: id) else {
            throw Problem.unknown("characteristic", "GET …/accessories lists them")
        }
        return resource
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
