internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Hosting
internal import Resources
internal import Simulation

/// The driver of an accessory, as the API shows it.
struct DriverResource: Sendable {
    let aid: UInt64
    let driver: HostedDriver
    let readings: [DeviceReading]

    static let format = Format<DriverResource>(
        response: "Driver",
        .written("aid", \.aid, .id, "The id of the accessory."),
        .written("accessory", \.driver.accessory.name, .string, "The name of the accessory."),
        .written("driver", \.driver.setting.name, .string, "The name of the driver."),
        .written(
            "state",
            \.state,
            .word(["running", "waiting", "stopped"]),
            "What it does: it runs, waits for its next start, or is not started again."
        ),
        .written("reason", \.reason, .string, "Why it does not run."),
        .written("reachable", \.isReachable, .boolean, "Whether controllers get values of the device."),
        .written("endpoints", \.endpoints, .list(of: .string), "The addresses on which it listens."),
        .written("certificate", \.certificate, .string, "The root of the certificates that it shows to peers, as PEM."),
        .written(
            "picture",
            \.driver.pictureNumber,
            .nullable(.integer),
            "The number of the picture that GET …/accessories/{aid}/picture returns; null without one."
        ),
        .written("readings", \.readings, .list(of: ServiceResource.reading), "What no characteristic shows."),
        .written("events", \.events, .list(of: feature), "The events that it reports."),
        .written("actions", \.actions, .list(of: feature), "What it can be asked to do."),
        .written("faults", \.faults, .list(of: feature), "The faults that it can have.")
    )

    private static let feature = Format<DriverFeature>(
        response: "DriverFeature",
        .written("name", \.name, .string, "The name."),
        .written("summary", \.summary, .string, "The meaning, in one sentence."),
        .written(
            "fields",
            \.fields,
            .nullable(.list(of: .string)),
            "The names of its details; null if any are allowed."
        )
    )

    private var events: [DriverFeature] { driver.setting.features(.event) }
    private var actions: [DriverFeature] { driver.setting.features(.action) }
    private var faults: [DriverFeature] { driver.setting.features(.fault) }

    /// A simulated device answers controllers without its driver.
    private var isReachable: Bool {
        driver.setting.definition?.ownership == DriverDefinition.Ownership.none || driver.isReachable
    }
    private var certificate: String? { driver.endpoints.lazy.compactMap(\.certificate).first }
    private var endpoints: [String] { driver.endpoints.map(\.description) }

    private var state: String {
        switch driver.state {
        case .running: "running"
        case .waiting: "waiting"
        case .stopped: "stopped"
        }
    }

    private var reason: String? {
        switch driver.state {
        case .running: nil
        case .waiting(let reason), .stopped(let reason): reason
        }
    }
}

/// A request to the driver of an accessory.
struct DriverActionRequest: Sendable {
    private var name = ""
    private var arguments: [String: String] = [:]

    var action: DriverAction { DriverAction(name, arguments) }

    static let format = ObjectFormat(
        DriverActionRequest(),
        [
            .required("action", \.name, .text(bytes: 1...256), "What the driver is asked to do."),
            .defaulted("with", \.arguments, .details, "The arguments by their names."),
        ]
    )
    .format()
}

extension DriverResource {
    /// Returns the drivers of a server, in the order of their accessories.
    static func all(of server: HostedServer) async -> [DriverResource] {
        await withTaskGroup { group in
            for driver in server.drivers.all.values {
                group.addTask {
                    DriverResource(aid: driver.aid.rawValue, driver: driver, readings: await driver.readings)
                }
            }
            var resources: [DriverResource] = []
            for await resource in group { resources.append(resource) }
            return resources.sorted { $0.aid < $1.aid }
        }
    }
}
