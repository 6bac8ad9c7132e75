internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HAPServer
internal import HTTPTypes
internal import Hosting
internal import Resources
internal import Simulation

extension Console {
    static let server = Endpoint.Parameter.path(
        "server",
        "The key of the server, or its number, which is unique and never reused."
    )

    static let serverEndpoints: [Endpoint] = [
        Endpoint(
            method: .get,
            path: "/api/v1/servers",
            summary: "Lists the servers",
            success: .json("The servers.", .list(of: ServerResource.format))
        ) { _, console in
            .json(await console.resources(of: console.servers), .list(of: ServerResource.format))
        },
        Endpoint(
            method: .get,
            path: "/api/v1/servers/{server}",
            summary: "Returns a server with its pairing state, setup code and advertisement",
            parameters: [server],
            success: .json("The server.", ServerResource.format),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            .json(await console.resource(of: try console.server(request["server"])), ServerResource.format)
        },
        Endpoint(
            method: .get,
            path: "/api/v1/servers/{server}/qr.svg",
            summary: "Returns the QR code for pairing as an image",
            parameters: [server],
            success: .text("image/svg+xml", "The image."),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            let information = await (try console.server(request["server"])).server.information
            guard let code = QRCode(information.setupURI) else {
                throw .unknown("QR code for this setup URI", "use the setup code")
            }
            return .text(code.svg, "image/svg+xml")
        },
        Endpoint(
            method: .get,
            path: "/api/v1/servers/{server}/sessions",
            summary: "Lists the connections of a server with their controllers and subscriptions",
            parameters: [server],
            success: .json("The connections.", .list(of: SessionResource.format)),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            let summaries = await (try console.server(request["server"])).server.connectionSummaries
            return .json(summaries.map { SessionResource(summary: $0) }, .list(of: SessionResource.format))
        },
        Endpoint(
            method: .get,
            path: "/api/v1/servers/{server}/pairings",
            summary: "Lists the paired controllers of a server",
            parameters: [server],
            success: .json("The controllers.", .list(of: PairingResource.format)),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            let pairings = await (try console.server(request["server"])).server.pairings
            return .json(
                pairings.map { PairingResource(controller: $0.identifier.description, isAdmin: $0.isAdmin) },
                .list(of: PairingResource.format)
            )
        },
        Endpoint(
            method: .delete,
            path: "/api/v1/servers/{server}/pairings",
            summary: "Removes all pairings of a server; its identity and its setup code stay",
            parameters: [server],
            success: .empty("The pairings are removed, also on disk."),
            errors: [.notFound, .internalServerError]
        ) { request, console throws(Problem) in
            let server = (try console.server(request["server"])).server
            await server.forgetPairings()
            guard await server.pairings.isEmpty else {
                throw Problem(
                    .internalServerError,
                    "store-failed",
                    "The pairings were not removed, because the state could not be written; see the log."
                )
            }
            return .empty
        },
        Endpoint(
            method: .post,
            path: "/api/v1/servers/{server}/identify",
            summary: "Makes an accessory identify itself",
            parameters: [server],
            body: IdentifyRequest.format.schema,
            success: .empty("The accessory identifies itself."),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            let aid = try request.read(IdentifyRequest.format).aid
            let server = (try console.server(request["server"])).server
            guard let id = AccessoryID(aid), await server.identify(id) else {
                throw .unknown("accessory that can be identified", "GET …/accessories lists them")
            }
            return .empty
        },
        Endpoint(
            method: .get,
            path: "/api/v1/servers/{server}/accessories",
            summary: "Lists the accessories of a server with their services, characteristics and current values",
            parameters: [server],
            success: .json("The accessories.", .list(of: AccessoryResource.format)),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            .json(
                await (try console.server(request["server"])).server.resources(),
                .list(of: AccessoryResource.format)
            )
        },
        Endpoint(
            method: .get,
            path: "/api/v1/servers/{server}/readings",
            summary: "Lists what simulated devices do that no characteristic shows, such as the position of a door",
            parameters: [server],
            success: .json("The readings of each service that has some.", .list(of: ReadingsResource.format)),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            .json(
                await (try console.server(request["server"])).server.readings(),
                .list(of: ReadingsResource.format)
            )
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
            key: identity.key,
            number: identity.id,
            name: information.name,
            deviceID: information.deviceID.text,
            category: Int(information.category.rawValue),
            port: Int(information.port),
            setupCode: information.setupCode.text,
            setupURI: information.setupURI,
            isPaired: information.isPaired,
            configurationNumber: Int(configurationNumber),
            advertiser: advertiser,
            sessions: connectionSummaries.count { $0.controller != nil },
            accessories: attributes.accessories.count
        )
    }
}
