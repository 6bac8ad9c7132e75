internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HAPServer
internal import HTTPTypes
internal import Hosting
internal import Resources
internal import Simulation

extension Console {
    static let serverEndpoints: [Endpoint] = [
        Endpoint(
            .get,
            "/api/v1/servers",
            "Lists the servers",
            result: ("The servers.", .list(of: ServerResource.format))
        ) { _, console in
            await console.resources(of: console.servers)
        },
        Endpoint(
            .get,
            "/api/v1/servers/{server}",
            "Returns a server with its pairing state, setup code and advertisement",
            result: ("The server.", ServerResource.format)
        ) { request, console in
            await console.resource(of: try console.server(request["server"]))
        },
        Endpoint(
            .get,
            "/api/v1/servers/{server}/qr.svg",
            "Returns the QR code for pairing as an image",
            success: .text("image/svg+xml", "The image.")
        ) { request, console in
            let information = try await console.server(request["server"]).server.information
            guard let code = QRCode(information.setupURI) else {
                throw Problem.unknown("QR code for this setup URI", "use the setup code")
            }
            return .text(code.svg, "image/svg+xml")
        },
        Endpoint(
            .get,
            "/api/v1/servers/{server}/sessions",
            "Lists the connections of a server with their controllers and subscriptions",
            result: ("The connections.", .list(of: SessionResource.format))
        ) { request, console in
            let summaries = try await console.server(request["server"]).server.connectionSummaries
            return summaries.map { SessionResource(summary: $0) }
        },
        Endpoint(
            .get,
            "/api/v1/servers/{server}/pairings",
            "Lists the paired controllers of a server",
            result: ("The controllers.", .list(of: PairingResource.format))
        ) { request, console in
            let pairings = try await console.server(request["server"]).server.pairings
            return pairings.map { PairingResource(controller: $0.identifier.description, isAdmin: $0.isAdmin) }
        },
        Endpoint(
            .delete,
            "/api/v1/servers/{server}/pairings",
            "Removes all pairings of a server; its identity and its setup code stay",
            noContent: "The pairings are removed, also on disk."
        ) { request, console in
            let server = try console.server(request["server"]).server
            await server.forgetPairings()
            guard await server.pairings.isEmpty else { throw Problem.keptPairings }
        },
        Endpoint(
            .delete,
            "/api/v1/servers/{server}/pairings/{controller}",
            "Removes the pairing of a controller; without another administrator, all pairings are removed",
            noContent: "The pairing is removed, also on disk."
        ) { request, console in
            let server = try console.server(request["server"]).server
            let found = await server.pairings.filter { $0.identifier.description == request["controller"] }
            guard let identifier = found.first?.identifier, found.count == 1 else {
                throw Problem.unknown("paired controller", "GET …/pairings lists them")
            }
            await server.forgetPairings(of: identifier)
            guard await server.pairings.allSatisfy({ $0.identifier != identifier }) else { throw Problem.keptPairings }
        },
        Endpoint(
            .post,
            "/api/v1/servers/{server}/identify",
            "Makes an accessory identify itself",
            body: IdentifyRequest.format,
            noContent: "The accessory identifies itself."
        ) { body, request, console in
            let server = try console.server(request["server"]).server
            guard let id = AccessoryID(body.aid), await server.identify(id) else {
                throw Problem.unknown("accessory that can be identified", "GET …/accessories lists them")
            }
        },
        Endpoint(
            .get,
            "/api/v1/servers/{server}/accessories",
            "Lists the accessories of a server with their services, characteristics and current values",
            result: ("The accessories.", .list(of: AccessoryResource.format))
        ) { request, console in
            try await console.server(request["server"]).server.resources()
        },
        Endpoint(
            .get,
            "/api/v1/servers/{server}/readings",
            "Lists what simulated devices do that no characteristic shows, such as the position of a door",
            result: ("The readings of each service that has some.", .list(of: ReadingsResource.format))
        ) { request, console in
            try await console.server(request["server"]).server.readings()
        },
        Endpoint(
            .get,
            "/api/v1/servers/{server}/drivers",
            "Lists the drivers of accessories that are not simulated, or that have peers of their own",
            result: ("The drivers.", .list(of: DriverResource.format))
        ) { request, console in
            await DriverResource.all(of: try console.server(request["server"]))
        },
        Endpoint(
            .get,
            "/api/v1/servers/{server}/accessories/{aid}/picture",
            "Returns the picture that the driver of an accessory shows, such as that of an album: JPEG or PNG",
            success: .text("image/*", "The picture.")
        ) { request, console in
            let drivers = try console.server(request["server"]).drivers.all.values
            guard let aid = UInt64(request["aid"]),
                let picture = drivers.lazy.filter({ $0.aid.rawValue == aid }).compactMap(\.picture).first
            else { throw Problem.unknown("picture of this accessory", "it appears when a sender sends one") }
            return .file(picture.bytes, picture.type)
        },
        Endpoint(
            .post,
            "/api/v1/servers/{server}/accessories/{aid}/actions",
            "Asks the driver of an accessory to do something",
            body: DriverActionRequest.format,
            result: ("What was done.", CommandResource.format)
        ) { body, request, console in
            let host = try console.serving()
            guard let aid = UInt64(request["aid"]),
                let object = try await console.object(try console.server(request["server"]).key, aid, nil)
            else { throw Problem.unknown("accessory", "GET …/accessories lists them") }
            let text = try await host.perform(.act(body.action, on: object))
            let name = SimulationTarget(host.names.text(of: object))
            console.journal.append(.command(ScenarioText.text(of: .act(body.action, on: name)), message: text))
            return CommandResource(message: text)
        },
    ]
}

extension Console {
    /// The number of servers that are asked at the same time.
    private static let requestConcurrency = 16

    /// Asks servers for what the API shows of them, several at a time.
    fileprivate func resources(of servers: [HostedServer]) async -> [ServerResource] {
        let width = max((servers.count + Self.requestConcurrency - 1) / Self.requestConcurrency, 1)
        return await withTaskGroup(of: (Int, [ServerResource]).self) { group in
            for first in stride(from: 0, to: servers.count, by: width) {
                group.addTask {
                    var resources: [ServerResource] = []
                    for server in servers[first..<min(first + width, servers.count)] {
                        resources.append(await self.resource(of: server))
                    }
                    return (first, resources)
                }
            }
            let parts = await group.reduce(into: []) { $0.append($1) }
            return parts.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }

    fileprivate func resource(of hosted: HostedServer) async -> ServerResource {
        let advertiser = journal.server(hosted.id)?.advertiser ?? .idle
        return await hosted.server.resource(of: hosted.identity, AdvertiserResource(advertiser))
    }
}

extension AccessoryServer {
    fileprivate func resource(of identity: HostedServer.Identity, _ advertiser: AdvertiserResource) -> ServerResource {
        ServerResource(
            identity: identity,
            information: information,
            configurationNumber: Int(configurationNumber),
            advertiser: advertiser,
            sessions: connectionSummaries.count { $0.controller != nil },
            accessories: attributes.accessories.count
        )
    }
}

extension Problem {
    fileprivate static let keptPairings = Problem(
        .internalServerError,
        "store-failed",
        "No pairing was removed, because the state could not be written; see the log."
    )
}
