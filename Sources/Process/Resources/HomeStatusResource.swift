internal import AccessoryModel
package import Documents
package import HomeModel

/// The states of services of a home.
package struct HomeStatusResource: Sendable {
    private struct Service {
        let service: HomeService
        let room: String?
        let accessory: String?
        let status: ServiceStatus

        var facts: [String] { status.facts.map(\.rawValue).sorted() }
    }

    private let home: String
    private let services: [Service]

    /// - Parameter statuses: The states. Those without words, such as that of the management of a lock, are left out.
    package init(_ statuses: [ServiceStatus], in home: Home, _ index: HomeIndex) {
        self.home = home.name.text
        services = statuses.compactMap { status in
            guard !status.text.isEmpty, let service = index.service(status.service) else { return nil }
            return Service(
                service: service,
                room: index.room(of: service.id).flatMap { index.room($0)?.name.text },
                accessory: index.accessory(of: service.id)?.name.text,
                status: status
            )
        }
    }

    package static let format = Format<HomeStatusResource>(
        response: "HomeStatus",
        .written("home", \.home, .string, "The name of the home."),
        .written("services", \.services, .list(of: service), "The services that have a state.")
    )

    private static let service = Format<Service>(
        response: "ServiceStatus",
        .written("name", \.service.name.text, .string, "The name of the service."),
        .written("type", \.service.effectiveType.description, .string, "The type that people see."),
        .written("room", \.room, .string, "The name of the room."),
        .written("accessory", \.accessory, .string, "The name of the accessory."),
        .written("state", \.status.text, .string, "The state in words, such as \"on, 40 %\"."),
        .written("facts", \.facts, .list(of: .word(ServiceFact.allCases.map(\.rawValue))), "What is true.")
    )
}
