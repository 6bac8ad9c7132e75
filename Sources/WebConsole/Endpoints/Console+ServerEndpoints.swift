internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HAPServer
internal import HTTPTypes
internal import Hosting
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
            var servers: [ServerResource] = []
            for server in console.servers { servers.append(await server.resource()) }
            return .json(servers, .list(of: ServerResource.format))
        },
        Endpoint(
            method: .get,
            path: "/api/v1/servers/{server}",
            summary: "Returns a server with its pairing state, setup code and advertisement",
            parameters: [server],
            success: .json("The server.", ServerResource.format),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            .json(await (try console.server(request["server"])).server.resource(), ServerResource.format)
        },
        Endpoint(
            method: .get,
            path: "/api/v1/servers/{server}/qr.svg",
            summary: "Returns the QR code for pairing as an image",
            parameters: [server],
            success: .text("image/svg+xml", "The image."),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            let information = await (try console.server(request["server"])).server.server.information
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
            let summaries = await (try console.server(request["server"])).server.server.connectionSummaries
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
            let pairings = await (try console.server(request["server"])).server.server.pairings
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
            let server = (try console.server(request["server"])).server.server
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
            let server = (try console.server(request["server"])).server.server
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
                await (try console.server(request["server"])).server.server.resources(),
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
                await (try console.server(request["server"])).server.server.readings(),
                .list(of: ReadingsResource.format)
            )
        },
    ]
}

extension ConsoleServer {
    fileprivate func resource() async -> ServerResource {
        let information = await server.information
        return ServerResource(
            key: key,
            number: index,
            name: information.name,
            deviceID: information.deviceID.text,
            category: Int(information.category.rawValue),
            port: Int(information.port),
            setupCode: information.setupCode.text,
            setupURI: information.setupURI,
            isPaired: information.isPaired,
            configurationNumber: Int(await server.configurationNumber),
            advertiser: AdvertiserResource(observer.advertiser),
            sessions: await server.connectionSummaries.count { $0.controller != nil },
            accessories: await server.attributes.accessories.count
        )
    }
}
